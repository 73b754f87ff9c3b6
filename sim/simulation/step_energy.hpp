#pragma once

#include <optional>

#include "sim/expense/energy.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// What one step draws. Where a node is slower the other replicas wait for it. In a mixed job each
/// kind computes for as long as its busiest stage does; switches and facility are those of the
/// job's own cluster. `facility_factor`: instead of its own.
Energy energy_of(const SimulatedStep&, std::optional<double> facility_factor = {});

}  // namespace simulation
}  // namespace tofn
