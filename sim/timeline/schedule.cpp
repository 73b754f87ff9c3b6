#include "sim/timeline/schedule.hpp"

#include <algorithm>
#include <cassert>

namespace tofn {
inline namespace timeline {
namespace {

/// With whole groups only: those of a short last group that do not exist are left out at the end,
/// so that its order is one that is known not to lock up.
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

}  // namespace

PipelineShape shape_of(const StepWork& work) {
  assert(!work.stages.empty() && work.micro_batches >= 1);
  for (const auto& chunks : work.stages) assert(chunks.size() == work.stages.front().size());
  return {.schedule = work.schedule,
          .stages = static_cast<int>(work.stages.size()),
          .chunks = static_cast<int>(work.stages.front().size()),
          .micro_batches = work.micro_batches};
}

std::vector<Pass> stage_order(const PipelineShape& asked, int stage) {
  const PipelineShape shape = rounded_up(asked);
  const std::vector<Pass> forward = forward_order(shape);
  const bool split = traits_of(shape.schedule).splits_backward;
  const std::size_t passes = forward.size();
  const auto warm_up = static_cast<std::size_t>(warm_up_passes(shape, stage));
  const auto late = std::min(static_cast<std::size_t>(stage), passes);
  std::vector<Pass> order(forward.begin(), forward.begin() + static_cast<std::ptrdiff_t>(warm_up));
  order.reserve((split ? 3 : 2) * passes);
  const auto backward = [&](std::size_t i, PassKind kind) {
    order.push_back({kind, shape.chunks - 1 - forward[i].chunk, forward[i].micro_batch});
  };
  for (std::size_t i = 0; i < passes; ++i) {
    if (i + warm_up < passes) order.push_back(forward[i + warm_up]);
    backward(i, PassKind::Backward);
    if (split && i >= late) backward(i - late, PassKind::WeightGradients);
  }
  for (std::size_t i = passes - late; split && i < passes; ++i)
    backward(i, PassKind::WeightGradients);
  std::erase_if(order, [&](const Pass& pass) { return pass.micro_batch >= asked.micro_batches; });
  return order;
}

}  // namespace timeline
}  // namespace tofn
