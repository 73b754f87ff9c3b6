#pragma once

#include "sim/expense/energy.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {

/// What one step draws. In a mixed job each kind draws for its own share of the machine, with the
/// facility factor of the job's own cluster; it computes for as long as its busiest stage is busy
/// and waits for the rest.
Energy energy_of(const SimulatedStep&);

}  // namespace tofn
