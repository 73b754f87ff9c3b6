#pragma once

#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Of the job that the stack knows a measured step of, the measurement; of others what is told of
/// it.
void take_measured(SimulatedStep&, const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
