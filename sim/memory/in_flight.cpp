#include <algorithm>
#include <cassert>

#include "sim/memory/footprint.hpp"

namespace tofn {
inline namespace memory {

int micro_batches_in_flight(const Plan& plan, int stage, int chunk) {
  const PipelineShape shape = shape_of(plan);
  assert(stage >= 0 && stage < shape.stages && chunk >= 0 && chunk < shape.chunks);
  if (shape.stages == 1) return 1;
  if (traits_of(shape.schedule).chunk_order == ChunkOrder::Alternate) {
    const int second = stage + 1;
    return std::min(chunk == 0 ? 2 * shape.stages - second : second, shape.micro_batches);
  }
  const int all = shape.micro_batches * shape.chunks;
  const int passes = std::min(warm_up_passes(shape, stage) + 1, all);
  // They run in rounds: a group of micro-batches through the first chunk, the second, ...
  const int group = group_size(shape);
  const int round = group * shape.chunks;
  return passes / round * group + std::clamp(passes % round - chunk * group, 0, group);
}

}  // namespace memory
}  // namespace tofn
