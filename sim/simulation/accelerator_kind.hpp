#pragma once

#include <string>
#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/expense/activity.hpp"
#include "sim/simulation/simulation.hpp"

namespace tofn {
inline namespace simulation {

/// What one kind of accelerator does in a job of two.
struct AcceleratorKind {
  std::string cluster;
  std::string accelerator;
  int accelerators = 0;
  StageRange stages{};  ///< that it holds of each of `replicas`
  int replicas = 1;
  int micro_batches = 1;  ///< of each of them
  Seconds busy;  ///< of its stage with the most to do: all but waiting for others and for sends
  Activity activity{};  ///< of the same stage
  Seconds alone;        ///< the step of a job that is all of this kind
};

/// Both kinds of a mixed job, the cluster's own first. `works` are its replicas'; asks for
/// `heterogeneous.mixed`.
std::vector<AcceleratorKind> accelerator_kinds(const Model&, const Plan&, const Cluster&,
                                               const KernelProfile&, const HeterogeneousNodes&,
                                               const std::vector<ReplicaWork>& works);

/// The step of such a job if neither kind waited for the other: each does its share of the samples
/// at the pace that it has alone.
Seconds without_waiting(const std::vector<AcceleratorKind>&);

/// Gives two kinds of replicas different numbers of micro-batches, of the same size and as many in
/// all as before, so that the later of them to finish does so soonest. Numbers stay multiples of
/// `group`. Gradients are then means over samples, not over replicas, which the framework must
/// know.
void deal_by_speed(std::vector<ReplicaWork>&, int group);

/// `heterogeneous.mixed` with as many layers on its stages as make the step shortest.
MixedNodes with_layers_by_speed(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                                const HeterogeneousNodes&);

}  // namespace simulation
}  // namespace tofn
