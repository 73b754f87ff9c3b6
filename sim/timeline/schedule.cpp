#include "sim/timeline/schedule.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace timeline {
namespace {

/// Shape with whole groups only. Micro-batches of a short last group that do not exist are left out
/// at the end, because the order of whole groups is known to be free of deadlocks.
PipelineShape rounded_up(PipelineShape shape) {
  const int group = group_size(shape);
  shape.micro_batches = (shape.micro_batches + group - 1) / group * group;
  return shape;
}

std::vector<Pass> forward_order(const PipelineShape& shape) {
  std::vector<Pass> order;
  const int group = group_size(shape);
  for (int first = 0; first < shape.micro_batches; first += group)
    for (int chunk = 0; chunk < shape.chunks; ++chunk)
      for (int i = first; i < first + group; ++i) order.push_back({PassKind::Forward, chunk, i});
  return order;
}

/// Order of the V schedule. Chunk 0 holds the way down the V, chunk 1 the way up. If too few
/// micro-batches fill the pipeline, those that do not exist are left out.
std::vector<Pass> v_order(const PipelineShape& shape, int stage) {
  assert(shape.chunks == 2);
  const int from_here = shape.stages - stage;
  const int count = std::max(shape.micro_batches, 2 * shape.stages - 1);
  std::vector<Pass> order;
  order.reserve(pass_kinds * 2 * static_cast<std::size_t>(count));
  std::array<std::array<int, 2>, pass_kinds> next{};
  struct Slot {
    PassKind kind;
    int chunk;
  };
  constexpr Slot f0{PassKind::Forward, 0}, f1{PassKind::Forward, 1};
  constexpr Slot b0{PassKind::Backward, 0}, b1{PassKind::Backward, 1};
  constexpr Slot w0{PassKind::WeightGradients, 0}, w1{PassKind::WeightGradients, 1};
  const auto run = [&](int times, std::initializer_list<Slot> slots) {
    for (; times > 0; --times)
      for (const Slot& slot : slots) {
        auto& micro_batches = next[static_cast<std::size_t>(slot.kind)];
        int& micro_batch = micro_batches[static_cast<std::size_t>(slot.chunk)];
        order.push_back({slot.kind, slot.chunk, micro_batch++});
      }
  };
  run(2 * from_here - 1, {f0});
  run(stage, {f1, f0});
  run(from_here, {f1, b1, w1});
  run(count - shape.stages - from_here + 1, {f0, b0, w0, f1, b1, w1});
  run(from_here - 1, {b0, w0, f1, b1, w1});
  run(stage, {b0, b1});
  run(from_here, {b0, w0});
  run(stage, {w1});
  run(stage, {w0});
  return order;
}

/// Order of the V-half schedule (arXiv 2405.15362). It repeats the building block of a micro-batch
/// every 6 passes, all taken as equally long. On stage s of p its passes start at
///   F0 = 2 s, F1 = 3 (p - 1) + 1 - s, B1 = 3 (p - 1) + 2 + 2 s, B0 = 6 (p - 1) + 3 - s,
/// that is two passes per stage down the V and one up it, forward and back. The two lifetimes of a
/// stage's activations take 6 (p - 1) passes together, so that a stage holds p chunks of half a
/// stage instead of 1F1B's 2 p. Weight gradients come 3 passes after their backward pass. Passes
/// that meet run in turn, which leaves half of 1F1B's bubble if F = B = W. The offsets follow from
/// the paper's rule for its half; if several satisfy it, those with the least bubble were taken.
std::vector<Pass> half_v_order(const PipelineShape& shape, int stage) {
  assert(shape.chunks == 2);
  constexpr int interval = 6;
  constexpr int weights_later = 3;
  const int last = shape.stages - 1;
  struct Start {
    int time;
    Pass pass;
  };
  std::vector<Start> starts;
  const auto add = [&](PassKind kind, int chunk, int time) {
    for (int i = 0; i < shape.micro_batches; ++i)
      starts.push_back({time + interval * i, {kind, chunk, i}});
  };
  const int back_1 = 3 * last + 2 + 2 * stage;
  const int back_0 = 6 * last + 3 - stage;
  add(PassKind::Forward, 0, 2 * stage);
  add(PassKind::Forward, 1, 3 * last + 1 - stage);
  add(PassKind::Backward, 1, back_1);
  add(PassKind::Backward, 0, back_0);
  add(PassKind::WeightGradients, 1, back_1 + weights_later);
  add(PassKind::WeightGradients, 0, back_0 + weights_later);
  std::ranges::stable_sort(starts, {}, &Start::time);
  std::vector<Pass> order;
  for (const Start& each : starts) order.push_back(each.pass);
  return order;
}

/// Order of dualpipe/dualpipev.py of github.com/deepseek-ai/DualPipe@3da1bbe, step by step: p
/// stages, this one s, m micro-batches; W runs the oldest weight gradients that a split backward
/// pass left. That program refuses fewer than 2 p micro-batches; here those that do not exist are
/// left out.
std::vector<Pass> dual_pipe_v_order(const PipelineShape& shape, int stage) {
  assert(shape.chunks == 2);
  const int behind = shape.stages - stage - 1;
  const int count = std::max(shape.micro_batches, 2 * shape.stages);
  std::vector<Pass> order;
  std::vector<Pass> left;  // weight gradients still to run
  std::size_t next_left = 0;
  std::array<int, 2> forwards{}, backwards{};
  const auto forward = [&](int chunk, bool paired = false) {
    int& next = forwards[static_cast<std::size_t>(chunk)];
    order.push_back(
        {.kind = PassKind::Forward, .chunk = chunk, .micro_batch = next++, .paired = paired});
  };
  const auto backward = [&](int chunk, bool split, bool paired = false) {
    int& next = backwards[static_cast<std::size_t>(chunk)];
    order.push_back({.kind = PassKind::Backward,
                     .chunk = chunk,
                     .micro_batch = next,
                     .paired = paired,
                     .whole = !split});
    if (split) left.push_back({PassKind::WeightGradients, chunk, next});
    ++next;
  };
  const auto weights = [&] { order.push_back(left[next_left++]); };
  const auto pair = [&](int there, int back) {
    forward(there, true);
    backward(back, false, true);
  };
  for (int i = 0; i < 2 * behind; ++i) forward(0);
  for (int i = 0; i <= stage; ++i) forward(0), forward(1);
  for (int i = 0; i < behind; ++i) backward(1, true), weights(), forward(1);
  for (int i = 0; i < count - 2 * shape.stages + stage + 1; ++i) {
    if (i == 0 && behind == 0)
      forward(0), backward(1, false);
    else
      pair(0, 1);
    pair(1, 0);
  }
  for (int i = 0; i < behind; ++i) backward(1, false), pair(1, 0);
  for (int i = 0; i < 2 * (stage + 1); ++i) backward(1 - i % 2, i > stage);
  for (int i = 0; i < behind; ++i) weights(), backward(0, true);
  for (int i = 0; i <= stage; ++i) weights();
  return order;
}

/// Order with one forward and one backward pass in turn after the warm-up. If the warm-up is all
/// passes, every forward pass runs before the first backward pass.
std::vector<Pass> alternating_order(const PipelineShape& request, int stage) {
  const PipelineShape shape = rounded_up(request);
  const std::vector<Pass> forward = forward_order(shape);
  const bool split = traits_of(shape.schedule).splits_backward;
  const std::size_t passes = forward.size();
  const auto warm_up = static_cast<std::size_t>(warm_up_passes(shape, stage));
  const auto late = std::min(static_cast<std::size_t>(stage), passes);
  std::vector<Pass> order(forward.begin(), forward.begin() + static_cast<std::ptrdiff_t>(warm_up));
  order.reserve((split ? 3 : 2) * passes);
  const auto backward = [&](std::size_t i, PassKind kind, bool paired = false) {
    order.push_back({kind, shape.chunks - 1 - forward[i].chunk, forward[i].micro_batch, paired});
  };
  for (std::size_t i = 0; i < passes; ++i) {
    const bool paired = shape.pairs && i + warm_up < passes;
    if (i + warm_up < passes) order.push_back(forward[i + warm_up]);
    if (paired) order.back().paired = true;
    backward(i, PassKind::Backward, paired);
    if (split && i >= late) backward(i - late, PassKind::WeightGradients);
  }
  for (std::size_t i = passes - late; split && i < passes; ++i)
    backward(i, PassKind::WeightGradients);
  return order;
}

/// Schedules whose passes do not alternate. Add the order of a new one here.
using PassOrder = std::vector<Pass> (*)(const PipelineShape&, int stage);
constexpr std::array<std::pair<std::string_view, PassOrder>, 3> own_orders{
    {{"zb-v", v_order}, {"v-half", half_v_order}, {"dualpipe-v", dual_pipe_v_order}}};

PassOrder order_of(PipelineSchedule schedule) {
  for (const auto& [name, order] : own_orders)
    if (traits_of(schedule).name == name) return order;
  return alternating_order;
}

/// Lets a pass run alone if its partner in a pair is missing.
void part_broken_pairs(std::vector<Pass>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!order[i].paired) continue;
    const bool leads = order[i].kind == PassKind::Forward && i + 1 < order.size() &&
                       order[i + 1].kind == PassKind::Backward && order[i + 1].paired;
    if (leads)
      ++i;
    else
      order[i].paired = false;
  }
}

}  // namespace

PipelineShape shape_of(const StepWork& work) {
  assert(!work.stages.empty() && work.micro_batches >= 1);
  for (const auto& chunks : work.stages) assert(chunks.size() == work.stages.front().size());
  return {.schedule = work.schedule,
          .stages = static_cast<int>(work.stages.size()),
          .chunks = static_cast<int>(work.stages.front().size()),
          .micro_batches = work.micro_batches,
          .pairs = work.pairs_passes || traits_of(work.schedule).pairs_passes};
}

Seconds send_time(const StepWork& work, int virtual_stage) {
  if (work.send.empty()) return {};
  const auto link = traits_of(work.schedule)
                        .placement.link_after(static_cast<int>(work.stages.size()), virtual_stage);
  return link ? work.send[static_cast<std::size_t>(*link)] : Seconds{};
}

std::vector<Pass> stage_order(const PipelineShape& shape, int stage) {
  std::vector<Pass> order = order_of(shape.schedule)(shape, stage);
  std::erase_if(order, [&](const Pass& pass) { return pass.micro_batch >= shape.micro_batches; });
  part_broken_pairs(order);
  return order;
}

}  // namespace timeline
}  // namespace tofn
