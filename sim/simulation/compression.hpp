#pragma once

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// Collective and payload of compressed gradients, and the memory traffic of compressing them.
struct CompressedGradients {
  CollectiveKind collective = CollectiveKind::AllReduce;
  Bytes payload;
  Bytes traffic;  ///< of the kernels that compress and restore
};

/// Compresses gradients of `parameters`, which `ranks` reduce. `gradient_bytes`: bytes of one
/// parameter's gradient without compression.
CompressedGradients compress(GradientCompression, const LayerWork&, double parameters,
                             double gradient_bytes, int ranks);

}  // namespace simulation
}  // namespace tofn
