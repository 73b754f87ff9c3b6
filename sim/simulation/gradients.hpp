#pragma once

#include <span>

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"
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

/// How gradients of `parameters` travel once they are compressed, and what that moves in memory.
struct CompressedGradients {
  CollectiveKind collective = CollectiveKind::AllReduce;
  Bytes payload;
  Bytes traffic;  ///< of the kernels that compress and restore
};

/// `ranks` reduce them; `gradient_bytes` per parameter as they would travel otherwise.
CompressedGradients compress(GradientCompression, const LayerWork&, double parameters,
                             double gradient_bytes, int ranks);

/// Parameters of one rank that train, by the ranks that hold the same ones.
struct TrainedParameters {
  double dense = 0;
  double experts = 0;
};

/// One optimizer step on the rank's share of them. Offloaded, gradients travel to the host, which
/// steps, and parameters back.
Seconds optimizer_time(const TrainedParameters&, const Machine&);

}  // namespace tofn
