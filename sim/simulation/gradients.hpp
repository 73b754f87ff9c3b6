#pragma once

#include <span>

#include "sim/simulation/layer_pass.hpp"

namespace tofn {

/// Data-parallel traffic of one layer on one rank.
struct GradientTimes {
  Seconds gather;      ///< of its parameters, before each pass (ZeRO 3)
  Seconds reduce;      ///< of its gradients, their compression included
  Seconds parameters;  ///< gathered once the optimizer has stepped (ZeRO 1 and 2)
};

/// `stage_parameters`: what all layers of the rank's stage train. It bounds the bucket in which the
/// layer's gradients travel, and is the bucket where nothing overlaps.
GradientTimes gradient_times(const LayerWork&, double stage_parameters, const Machine&);

/// Parameters of one layer on one rank that train.
double trained(const LayerWork&);

}  // namespace tofn
