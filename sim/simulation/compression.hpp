#pragma once

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// How gradients of `parameters` travel once they are compressed, and what that moves in memory.
struct CompressedGradients {
  CollectiveKind collective = CollectiveKind::AllReduce;
  Bytes payload;
  Bytes traffic;  ///< of the kernels that compress and restore
};

/// `ranks` reduce them; `gradient_bytes` per parameter as they would travel otherwise.
CompressedGradients compress(GradientCompression, const LayerWork&, double parameters,
                             double gradient_bytes, int ranks);

}  // namespace simulation
}  // namespace tofn
