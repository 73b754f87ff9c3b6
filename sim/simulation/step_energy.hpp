#pragma once

#include <optional>

#include "sim/expense/energy.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Energy of one step. Other replicas wait for a slower node. In a mixed job each kind computes for
/// as long as its busiest stage; switches and facility are those of the job's own cluster.
/// `facility_factor` overrides the cluster's.
Energy energy_of(const SimulatedStep&, std::optional<double> facility_factor = {});

}  // namespace simulation
}  // namespace tofn
