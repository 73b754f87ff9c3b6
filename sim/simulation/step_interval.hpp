#pragma once

#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/simulation/simulation.hpp"

namespace tofn {
inline namespace simulation {

/// What a step rests on that is in doubt.
struct StepInputs {
  Cluster cluster;
  KernelProfile profile;
  HeterogeneousNodes heterogeneous;
};

/// 90 % interval of a step that takes `total`, from draws of all that is in doubt (`step_doubts`).
/// A draw's time follows from what each doubt alone does, at the ends of its own interval, so that
/// draws cost nothing. `works` say how many micro-batches replicas run.
Interval step_interval(Seconds total, const Model&, const Plan&, const StepInputs&,
                       const std::vector<ReplicaWork>& works);

}  // namespace simulation
}  // namespace tofn
