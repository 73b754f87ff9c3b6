#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/communicators.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {

/// What the layers of a step run on.
struct Machine {
  const Plan& plan;
  const Accelerator& accelerator;
  const KernelProfile& profile;
  const Communicators& communicators;
  PassPrecision precision{};
};

/// Both passes of one layer on one micro-batch, recomputation in the backward one; data-parallel
/// traffic is left out.
LayerTimes layer_times(const LayerWork&, const Machine&);

}  // namespace tofn
