#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace parallelism {

/// In which order a pipeline stage runs its passes; interleaving is several chunks of layers on
/// each stage.
enum class PipelineSchedule { GPipe, OneForwardOneBackward, ZeroBubble, BreadthFirst, ZeroBubbleV };

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
/// The parts go round all stages once a chunk.
inline constexpr ChunkPlacement looped{
    [](int stages, ChunkPlace at) { return at.chunk * stages + at.stage; },
    [](int stages, int part) {
      return ChunkPlace{part % stages, part / stages};
    },
    [](int stages, int part) { return stages > 1 ? std::optional(part % stages) : std::nullopt; }};
/// The parts go down all stages and up again: the first and the last one are on the same stage.
inline constexpr ChunkPlacement v_shaped{
    [](int stages, ChunkPlace at) {
      return at.chunk * stages + (at.chunk % 2 == 0 ? at.stage : stages - 1 - at.stage);
    },
    [](int stages, int part) {
      const int chunk = part / stages;
      const int way = part % stages;
      return ChunkPlace{chunk % 2 == 0 ? way : stages - 1 - way, chunk};
    },
    [](int stages, int part) {
      const int way = part % stages;
      if (way == stages - 1) return std::optional<int>();
      return std::optional(part / stages % 2 == 0 ? way : stages - 2 - way);
    }};

/// How micro-batches pass the chunks of a stage: a stage's worth of them passes a chunk before the
/// next; all do; or each chunk has its turn with every micro-batch.
enum class ChunkOrder { Groups, BreadthFirst, Alternate };

/// How many chunks a stage may have.
struct ChunkCount {
  int least = 1;
  int most = std::numeric_limits<int>::max();

  constexpr bool holds(int chunks) const { return chunks >= least && chunks <= most; }
};

/// What sets a schedule apart from others; everything that depends on a plan's schedule asks here.
struct ScheduleTraits {
  std::string_view name;
  PipelineSchedule schedule;
  bool forwards_first;   ///< all forward passes, then all backward ones; else they alternate
  bool splits_backward;  ///< weight gradients run apart, later than what goes back a stage
  ChunkCount chunks;
  ChunkOrder chunk_order = ChunkOrder::Groups;
  ChunkPlacement placement = looped;
};

/// GPipe: Huang et al., arXiv 1811.06965. 1F1B, with chunks too: Narayanan et al.,
/// arXiv 2104.04473. Zero-bubble: ZB-H1 of Qi et al., arXiv 2401.10241; zb-v: ZB-V of the same.
/// Breadth-first, GPipe with chunks: Lamy-Poirier, arXiv 2211.05953.
inline constexpr std::array schedule_traits{
    ScheduleTraits{.name = "gpipe",
                   .schedule = PipelineSchedule::GPipe,
                   .forwards_first = true,
                   .splits_backward = false,
                   .chunks = {1, 1}},
    ScheduleTraits{.name = "1f1b",
                   .schedule = PipelineSchedule::OneForwardOneBackward,
                   .forwards_first = false,
                   .splits_backward = false,
                   .chunks = {}},
    ScheduleTraits{.name = "zero-bubble",
                   .schedule = PipelineSchedule::ZeroBubble,
                   .forwards_first = false,
                   .splits_backward = true,
                   .chunks = {1, 1}},
    ScheduleTraits{.name = "breadth-first",
                   .schedule = PipelineSchedule::BreadthFirst,
                   .forwards_first = true,
                   .splits_backward = false,
                   .chunks = {},
                   .chunk_order = ChunkOrder::BreadthFirst},
    ScheduleTraits{.name = "zb-v",
                   .schedule = PipelineSchedule::ZeroBubbleV,
                   .forwards_first = false,
                   .splits_backward = true,
                   .chunks = {2, 2},
                   .chunk_order = ChunkOrder::Alternate,
                   .placement = v_shaped}};

constexpr const ScheduleTraits& traits_of(PipelineSchedule schedule) {
  return schedule_traits[static_cast<std::size_t>(schedule)];
}

inline constexpr auto pipeline_schedules = [] {
  std::array<std::pair<std::string_view, PipelineSchedule>, schedule_traits.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = {schedule_traits[i].name, schedule_traits[i].schedule};
  return names;
}();

/// How long a pipeline is in every direction.
struct PipelineShape {
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  int stages = 1;
  int chunks = 1;
  int micro_batches = 1;
};

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
