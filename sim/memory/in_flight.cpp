#include <algorithm>
#include <cassert>

#include "sim/memory/footprint.hpp"

namespace tofn {
inline namespace memory {

int micro_batches_in_flight(const Plan& plan, int stage, int chunk) {
  const PipelineShape shape = shape_of(plan);
  assert(stage >= 0 && stage < shape.stages && chunk >= 0 && chunk < shape.chunks);
  // A pair holds the micro-batch that goes back and the one that comes.
  if (shape.stages == 1) return shape.pairs ? std::min(2, shape.micro_batches) : 1;
  return traits_of(shape.schedule).in_flight(shape, {stage, chunk});
}

}  // namespace memory
}  // namespace tofn
