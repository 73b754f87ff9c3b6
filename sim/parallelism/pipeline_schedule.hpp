#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// In which order a pipeline stage runs its passes; interleaving is several chunks of layers on
/// each stage. A value is a row of `schedule_traits`; here stand those that code or tests name.
enum class PipelineSchedule : unsigned char {
  GPipe,
  OneForwardOneBackward,
  ZeroBubble,
  BreadthFirst,
  ZeroBubbleV
};

/// A chunk of layers of a stage.
struct ChunkPlace {
  int stage = 0;
  int chunk = 0;
};

/// Which chunk holds which part of the model. Virtual stages count these parts, in the order of a
/// forward pass.
struct ChunkPlacement {
  int (*virtual_stage)(int stages, ChunkPlace);
  ChunkPlace (*place_of)(int stages, int virtual_stage);
  /// Over which link a virtual stage hands on to the next one: link i joins stages i and i + 1, the
  /// last one the last stage and the first. None where both are on one stage.
  std::optional<int> (*link_after)(int stages, int virtual_stage);
};

/// How micro-batches pass the chunks of a stage: a stage's worth of them passes a chunk before the
/// next; all do; or each chunk has its turn with every micro-batch.
enum class ChunkOrder { Groups, BreadthFirst, Alternate };

/// How many chunks a stage may have.
struct ChunkCount {
  int least = 1;
  int most = std::numeric_limits<int>::max();

  constexpr bool holds(int chunks) const { return chunks >= least && chunks <= most; }
};

/// How long a pipeline is in every direction.
struct PipelineShape {
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  int stages = 1;
  int chunks = 1;
  int micro_batches = 1;
  bool pairs = false;  ///< a forward and a backward pass run as one
};

/// What gives the length of a step without running its events: paths through all forward and all
/// backward passes, through passes that alternate, or a short run and after it the pace of the
/// busiest stage, or of that run's end where the order makes even the busiest stage wait.
enum class LengthForm { AllForward, Alternation, Settled, Paced };

/// What sets a schedule apart from others; everything that depends on a plan's schedule asks here.
struct ScheduleTraits {
  std::string_view name;
  bool forwards_first = false;  ///< all forward passes, then all backward ones; else they alternate
  bool pairs_passes = false;  ///< a forward and a backward pass run as one, whatever the plan says
  bool splits_backward = false;  ///< weight gradients run apart, later than what goes back a stage
  ChunkCount chunks;
  ChunkOrder chunk_order = ChunkOrder::Groups;
  ChunkPlacement placement;
  LengthForm length = LengthForm::Alternation;
  /// Forward passes of a stage, over all its chunks, before the one that its first backward pass
  /// follows, were there enough of them.
  int (*warm_up)(const PipelineShape&, int stage);
  /// Micro-batches whose activations a chunk holds when the stage holds most.
  int (*in_flight)(const PipelineShape&, ChunkPlace);
  bool is_searched = true;  ///< false: another takes as long and keeps less
};

/// Every schedule, its value the index. Add one in pipeline_schedule.cpp: a row; and where its
/// passes do not alternate, their order in timeline/schedule.cpp.
extern const std::span<const ScheduleTraits> schedule_traits;
extern const std::span<const std::pair<std::string_view, PipelineSchedule>> pipeline_schedules;

const ScheduleTraits& traits_of(PipelineSchedule);

/// Whether micro-batches pass several chunks in groups of as many as there are stages; else all
/// together.
bool runs_in_groups(PipelineSchedule, int chunks);
/// Micro-batches that go through all chunks together.
int group_size(const PipelineShape&);

/// Forward passes of a stage, over all its chunks, before the one that its first backward pass
/// follows.
int warm_up_passes(const PipelineShape&, int stage);

}  // namespace parallelism
}  // namespace tofn
