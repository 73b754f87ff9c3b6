#pragma once

#include <vector>

#include "sim/simulation/simulation.hpp"

namespace tofn {

/// Gives two kinds of replicas unlike numbers of micro-batches, of the same size and as many in all
/// as before, so that the later of them to finish does so soonest. Numbers stay multiples of
/// `group`. Gradients are then means over samples, not over replicas, which the framework must
/// know.
void deal_by_speed(std::vector<ReplicaWork>&, int group);

/// `unlike.mixed` with as many layers on its stages as make the step shortest.
MixedNodes with_layers_by_speed(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                                const UnlikeNodes&);

}  // namespace tofn
