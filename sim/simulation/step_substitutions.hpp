#pragma once

#include <string>
#include <vector>

#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Sentences that name each feature that the plan requests and the cluster lacks, with its
/// substitute; without calibrations.
std::vector<std::string> substitutions(const Model&, const Plan&, const Cluster&,
                                       const StackDefaults& = {});

/// All of these for a simulated step, those for its collectives, and sentences on its stack: what
/// it lacks, and what its figures were learned from.
std::vector<std::string> step_substitutions(const SimulatedStep&, const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
