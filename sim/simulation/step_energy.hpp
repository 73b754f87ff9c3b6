#pragma once

#include "sim/expense/energy.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// What one step draws. In a mixed job each kind computes for as long as its busiest stage does;
/// switches and facility are those of the job's own cluster.
Energy energy_of(const SimulatedStep&);

}  // namespace simulation
}  // namespace tofn
