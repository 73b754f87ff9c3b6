#pragma once

#include <optional>

#include "sim/expense/activity.hpp"
#include "sim/expense/energy.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// Activity of the accelerators in a simulated step: the slowest stage stands for all. A bubble
/// counts as waiting inside a receive.
Activity activity_of(const StepTimes&);

/// Energy of one step. Other replicas wait for a slower node. In a mixed job each kind computes for
/// as long as its busiest stage; switches and facility are those of the job's own cluster.
/// `facility_factor` overrides the cluster's.
Energy energy_of(const SimulatedStep&, std::optional<double> facility_factor = {});

}  // namespace simulation
}  // namespace tofn
