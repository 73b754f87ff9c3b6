#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// Order in which a pipeline stage runs its passes; interleaving uses several chunks of layers per
/// stage. A value is a row of `schedule_traits`; the names here are those that code or tests need.
enum class PipelineSchedule : unsigned char {
  GPipe,
  OneForwardOneBackward,
  ZeroBubble,
  BreadthFirst,
  ZeroBubbleV
};

/// A chunk of layers on a stage.
struct ChunkPlace {
  int stage = 0;
  int chunk = 0;
};

/// Placement of the model's parts on chunks. Virtual stages number these parts in the order of a
/// forward pass.
struct ChunkPlacement {
  int (*virtual_stage)(int stages, ChunkPlace);
  ChunkPlace (*place_of)(int stages, int virtual_stage);
  /// Link from a virtual stage to the next one: link i joins stages i and i + 1, and the last link
  /// joins the last stage and the first. Absent if both are on one stage.
  std::optional<int> (*link_after)(int stages, int virtual_stage);
};

/// Order of micro-batches and chunks on a stage: a group of as many micro-batches as stages passes
/// a chunk before the next chunk; all micro-batches do; or each chunk has its turn with every
/// micro-batch.
enum class ChunkOrder { Groups, BreadthFirst, Alternate };

/// Number of chunks that a stage may have.
struct ChunkCount {
  int least = 1;
  int most = std::numeric_limits<int>::max();

  constexpr bool holds(int chunks) const { return chunks >= least && chunks <= most; }
};

/// Dimensions of a pipeline.
struct PipelineShape {
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  int stages = 1;
  int chunks = 1;
  int micro_batches = 1;
  bool pairs = false;  ///< a forward and a backward pass run as one
};

/// Method that gives the length of a step without running all of its events: paths through all
/// forward and then all backward passes; paths through passes that alternate; or a short run,
/// followed by the pace of the busiest stage or, if the order makes even the busiest stage wait, by
/// the pace at the end of that run.
enum class LengthForm { AllForward, Alternation, Settled, Paced };

/// Traits of a schedule. All code that depends on a plan's schedule reads them.
struct ScheduleTraits {
  std::string_view name;
  bool forwards_first = false;  ///< all forward passes, then all backward ones; else they alternate
  bool pairs_passes = false;    ///< a forward and a backward pass run as one under any plan
  bool splits_backward = false;  ///< weight gradients run later, apart from the others
  ChunkCount chunks;
  ChunkOrder chunk_order = ChunkOrder::Groups;
  ChunkPlacement placement;
  LengthForm length = LengthForm::Alternation;
  /// Forward passes of a stage, over all its chunks, before the one that its first backward pass
  /// follows, if there are enough micro-batches.
  int (*warm_up)(const PipelineShape&, int stage);
  /// Most micro-batches whose activations a chunk holds at once.
  int (*in_flight)(const PipelineShape&, ChunkPlace);
  bool is_searched = true;  ///< false: another schedule is as fast and needs less memory
};

/// All schedules, indexed by value. To add one, add a row in pipeline_schedule.cpp; if its passes
/// do not alternate, add their order in timeline/schedule.cpp.
extern const std::span<const ScheduleTraits> schedule_traits;
extern const std::span<const std::pair<std::string_view, PipelineSchedule>> pipeline_schedules;

const ScheduleTraits& traits_of(PipelineSchedule);

/// True if micro-batches pass several chunks in groups of as many as there are stages; otherwise
/// all pass together.
bool runs_in_groups(PipelineSchedule, int chunks);
/// Number of micro-batches that go through all chunks together.
int group_size(const PipelineShape&);

/// Number of forward passes of a stage, over all its chunks, before the one that its first backward
/// pass follows.
int warm_up_passes(const PipelineShape&, int stage);

}  // namespace parallelism
}  // namespace tofn
