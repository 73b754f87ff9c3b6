#pragma once

#include <string>

#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Equal of steps that are the same job on the same machine: model, plan, size and batch.
std::string job_key(const Model&, const Plan&, const Cluster&);

/// Of the job that the stack knows a measured step of, the measurement; of others what is told of
/// it.
void take_measured(SimulatedStep&, const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
