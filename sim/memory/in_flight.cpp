#include <cassert>

#include "sim/memory/footprint.hpp"

namespace tofn {
inline namespace memory {

int micro_batches_in_flight(const Plan& plan, int stage, int chunk) {
  PipelineShape shape = shape_of(plan);
  assert(stage >= 0 && stage < shape.stages && chunk >= 0 && chunk < shape.chunks);
  // Paired passes go through the layers in opposite directions. One frees a layer's activations
  // while the other makes them, so that both together hold one micro-batch and a layer.
  if (!traits_of(shape.schedule).pairs_passes) shape.pairs = false;
  if (shape.stages == 1) return 1;
  return traits_of(shape.schedule).in_flight(shape, {stage, chunk});
}

}  // namespace memory
}  // namespace tofn
