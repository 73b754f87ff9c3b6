#include "sim/parallelism/pipeline_schedule.hpp"

#include <algorithm>
#include <array>

namespace tofn {
inline namespace parallelism {
namespace {

/// Parts go round all stages once for each chunk.
constexpr ChunkPlacement looped{
    [](int stages, ChunkPlace at) { return at.chunk * stages + at.stage; },
    [](int stages, int part) {
      return ChunkPlace{part % stages, part / stages};
    },
    [](int stages, int part) { return stages > 1 ? std::optional(part % stages) : std::nullopt; }};
/// Parts go down all stages and up again, so that the first and the last one are on the same stage.
constexpr ChunkPlacement v_shaped{
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

int all_passes(const PipelineShape& shape, int) { return shape.chunks * shape.micro_batches; }

/// Warm-up of 1F1B: as many passes as there are stages behind, until the first backward pass
/// returns. Interleaved: twice as many, and all chunks but one (arXiv 2104.04473).
int until_first_returns(const PipelineShape& shape, int stage) {
  const int behind = shape.stages - 1 - stage;
  return shape.chunks == 1 ? behind : 2 * behind + (shape.chunks - 1) * shape.stages;
}

/// Warm-up of eager 1F1B: two passes for each stage behind, so that the input of a pass was sent
/// one pass before (arXiv 2211.05322).
int twice_the_stages_behind(const PipelineShape& shape, int stage) {
  return 2 * (shape.stages - 1 - stage);
}

int down_the_v(const PipelineShape& shape, int) { return 2 * shape.stages - 1; }

/// Micro-batches in flight after the warm-up and the pass behind it. Rounds bring a group of
/// micro-batches through the first chunk, the second, ... With p stages, stage s holds all
/// micro-batches under GPipe; p - s under 1F1B and ZB-H1, which the stages behind have not
/// returned; 2 (p - 1 - s) + 1 under eager 1F1B; and 2 (p - 1 - s) + (v - 1) p + 1 interleaved in v
/// chunks, which is 1 + (p - 1) / (p v) of all layers on the first stage (arXiv 2205.05198, section
/// 4.2.3).
int held_after_warm_up(const PipelineShape& shape, ChunkPlace at) {
  const int all = shape.micro_batches * shape.chunks;
  const int passes = std::min(warm_up_passes(shape, at.stage) + 1, all);
  const int group = group_size(shape);
  const int round = group * shape.chunks;
  return passes / round * group + std::clamp(passes % round - at.chunk * group, 0, group);
}

/// Micro-batches in flight under ZB-V: 2 p - 1 - s of the chunk on the way down and s + 1 of that
/// on the way up, which equals p of a whole stage.
int held_in_zero_bubble_v(const PipelineShape& shape, ChunkPlace at) {
  const int second = at.stage + 1;
  return std::min(at.chunk == 0 ? 2 * shape.stages - second : second, shape.micro_batches);
}

/// Micro-batches in flight under V-half. From a forward pass to the end of its weight gradients
/// chunk 0 of stage s takes 6 (p - 1) - 3 s + 7 passes and chunk 1 3 s + 5 (`half_v_order`), and a
/// micro-batch comes every 6 passes.
int held_in_half_v(const PipelineShape& shape, ChunkPlace at) {
  constexpr int interval = 6;
  const int passes =
      at.chunk == 0 ? interval * (shape.stages - 1) - 3 * at.stage + 7 : 3 * at.stage + 5;
  return std::min((passes + interval - 1) / interval, shape.micro_batches);
}

/// Forward passes of both chunks that start before chunk 1's first backward pass, except the last
/// of them.
int before_first_backward_of_half_v(const PipelineShape& shape, int stage) {
  constexpr int interval = 6;
  return (3 * (shape.stages - 1) + 2) / interval + (3 * stage + 1) / interval + 1;
}

/// Forward passes before the first backward pass of DualPipeV, on stage s of p: 2 (p - 1 - s) on
/// the way down and s + 1 of each way. The pair of a third backward pass, or on the last stage of
/// the first one, follows.
int before_first_backward_of_dual_pipe(const PipelineShape& shape, int stage) {
  return 2 * shape.stages - (stage + 1 < shape.stages ? 1 : 0);
}

/// Micro-batches in flight under DualPipeV: 2 p - s of the chunk on the way down and s + 1 of that
/// on the way up, one more than under ZB-V.
int held_in_dual_pipe_v(const PipelineShape& shape, ChunkPlace at) {
  return std::min(at.chunk == 0 ? 2 * shape.stages - at.stage : at.stage + 1, shape.micro_batches);
}

/// Traits of all schedules. GPipe: Huang et al., arXiv 1811.06965. 1F1B, with chunks too: Narayanan
/// et al., arXiv 2104.04473. Zero-bubble: ZB-H1 of Qi et al., arXiv 2401.10241; zb-v: ZB-V of the
/// same. Breadth-first, GPipe with chunks: Lamy-Poirier, arXiv 2211.05953. Eager 1F1B: Zhuang et
/// al., arXiv 2211.05322. V-half: Qi et al., arXiv 2405.15362. DualPipeV:
/// github.com/deepseek-ai/DualPipe@3da1bbe, dualpipe/dualpipev.py.
constexpr std::array traits{ScheduleTraits{.name = "gpipe",
                                           .forwards_first = true,
                                           .chunks = {1, 1},
                                           .placement = looped,
                                           .length = LengthForm::AllForward,
                                           .warm_up = all_passes,
                                           .in_flight = held_after_warm_up,
                                           .is_searched = false},
                            ScheduleTraits{.name = "1f1b",
                                           .chunks = {},
                                           .placement = looped,
                                           .warm_up = until_first_returns,
                                           .in_flight = held_after_warm_up},
                            ScheduleTraits{.name = "zero-bubble",
                                           .splits_backward = true,
                                           .chunks = {1, 1},
                                           .placement = looped,
                                           .warm_up = until_first_returns,
                                           .in_flight = held_after_warm_up},
                            ScheduleTraits{.name = "breadth-first",
                                           .forwards_first = true,
                                           .chunks = {},
                                           .chunk_order = ChunkOrder::BreadthFirst,
                                           .placement = looped,
                                           .length = LengthForm::AllForward,
                                           .warm_up = all_passes,
                                           .in_flight = held_after_warm_up},
                            ScheduleTraits{.name = "zb-v",
                                           .splits_backward = true,
                                           .chunks = {2, 2},
                                           .chunk_order = ChunkOrder::Alternate,
                                           .placement = v_shaped,
                                           .length = LengthForm::Settled,
                                           .warm_up = down_the_v,
                                           .in_flight = held_in_zero_bubble_v},
                            ScheduleTraits{.name = "eager-1f1b",
                                           .chunks = {1, 1},
                                           .placement = looped,
                                           .length = LengthForm::Paced,
                                           .warm_up = twice_the_stages_behind,
                                           .in_flight = held_after_warm_up},
                            ScheduleTraits{.name = "v-half",
                                           .splits_backward = true,
                                           .chunks = {2, 2},
                                           .chunk_order = ChunkOrder::Alternate,
                                           .placement = v_shaped,
                                           .length = LengthForm::Paced,
                                           .warm_up = before_first_backward_of_half_v,
                                           .in_flight = held_in_half_v},
                            ScheduleTraits{.name = "dualpipe-v",
                                           .pairs_passes = true,
                                           .splits_backward = true,
                                           .chunks = {2, 2},
                                           .chunk_order = ChunkOrder::Alternate,
                                           .placement = v_shaped,
                                           .length = LengthForm::Paced,
                                           .warm_up = before_first_backward_of_dual_pipe,
                                           .in_flight = held_in_dual_pipe_v}};

constexpr auto names = [] {
  std::array<std::pair<std::string_view, PipelineSchedule>, traits.size()> all;
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {traits[i].name, static_cast<PipelineSchedule>(i)};
  return all;
}();

}  // namespace

constinit const std::span<const ScheduleTraits> schedule_traits = traits;
constinit const std::span<const std::pair<std::string_view, PipelineSchedule>> pipeline_schedules =
    names;

const ScheduleTraits& traits_of(PipelineSchedule schedule) {
  return traits[static_cast<std::size_t>(schedule)];
}

bool runs_in_groups(PipelineSchedule schedule, int chunks) {
  return chunks > 1 && traits_of(schedule).chunk_order == ChunkOrder::Groups;
}

int group_size(const PipelineShape& shape) {
  return runs_in_groups(shape.schedule, shape.chunks) ? shape.stages : shape.micro_batches;
}

int warm_up_passes(const PipelineShape& shape, int stage) {
  const ScheduleTraits& traits = traits_of(shape.schedule);
  // One pass more keeps the passes of a pair from waiting for each other (Megatron-LM,
  // forward_backward_pipelining_with_interleaving).
  const int more = shape.pairs && !traits.pairs_passes ? 1 : 0;
  return std::min(traits.warm_up(shape, stage) + more, shape.chunks * shape.micro_batches);
}

}  // namespace parallelism
}  // namespace tofn
