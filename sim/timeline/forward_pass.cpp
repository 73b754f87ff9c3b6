#include "sim/timeline/forward_pass.hpp"

#include <algorithm>

#include "sim/timeline/pass.hpp"
#include "sim/timeline/schedule.hpp"

namespace tofn {
inline namespace timeline {
namespace {

/// Seconds of one micro-batch on one stage, with the sends to the next one.
Seconds forward_of(const StepWork& work, const PipelineShape& shape, int stage) {
  Seconds sum;
  for (int chunk = 0; chunk < shape.chunks; ++chunk) {
    const ChunkTimes& layers =
        work.stages[static_cast<std::size_t>(stage)][static_cast<std::size_t>(chunk)];
    const PassTimes pass = undisturbed(layers, PassKind::Forward, false, work.slowdown);
    const Seconds gather = work.gathers_each_micro_batch ? pass.gather : Seconds{};
    sum += work.data_overlap ? std::max(pass.length, gather) : pass.length + gather;
    const int part = traits_of(work.schedule).placement.virtual_stage(shape.stages, {stage, chunk});
    if (!work.send_overlap) sum += send_time(work, part);
  }
  return sum;
}

}  // namespace

ForwardPass forward_pass(const StepWork& work) {
  const PipelineShape shape = shape_of(work);
  ForwardPass pass{.of_stage = {}, .filling = 1.0 * (shape.stages - 1) / shape.chunks};
  for (int stage = 0; stage < shape.stages; ++stage)
    pass.of_stage = std::max(pass.of_stage, forward_of(work, shape, stage));
  return pass;
}

}  // namespace timeline
}  // namespace tofn
