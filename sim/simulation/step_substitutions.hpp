#pragma once

#include <string>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Sentences about layers with products whose rows are no multiple of 16 bytes: the cost they are
/// assumed to have.
std::vector<std::string> unaligned_layers(const Model&, const Plan&, const Accelerator&,
                                          const KernelProfile&);

/// Sentences that name each feature that the plan requests and the cluster lacks, with its
/// substitute; without calibrations.
std::vector<std::string> substitutions(const Model&, const Plan&, const Cluster&,
                                       const StackDefaults& = {});

/// All of these for a simulated step, those for its collectives, and sentences on its stack: what
/// it lacks, and what its figures were learned from.
std::vector<std::string> step_substitutions(const SimulatedStep&, const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
