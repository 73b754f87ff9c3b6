#pragma once

#include <string>
#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/expense/activity.hpp"
#include "sim/simulation/simulation.hpp"

namespace tofn {
inline namespace simulation {

/// Share and pace of one kind of accelerator in a job of two kinds.
struct AcceleratorKind {
  std::string cluster;
  std::string accelerator;
  int accelerators = 0;
  StageRange stages{};  ///< stages of each replica that this kind holds
  int replicas = 1;
  int micro_batches = 1;  ///< of each replica
  Seconds busy;           ///< of its busiest stage: all but bubble, imbalance and sends
  Activity activity{};    ///< of its busiest stage
  Seconds alone;          ///< step time of a job in which all accelerators are of this kind
};

/// Returns both kinds of a mixed job, the cluster's own first. `works`: one for each kind of
/// replica of the job. Requires `heterogeneous.mixed`.
std::vector<AcceleratorKind> accelerator_kinds(const Model&, const Plan&, const Cluster&,
                                               const KernelProfile&, const HeterogeneousNodes&,
                                               const std::vector<ReplicaWork>& works);

/// Step time of the job if neither kind waited for the other: each kind computes its share of the
/// samples at the pace that it has alone.
Seconds without_waiting(const std::vector<AcceleratorKind>&);

/// Gives two kinds of replicas different numbers of micro-batches so that the slower of them
/// finishes as early as possible. Size and total number of micro-batches stay, and each number
/// stays a multiple of `group`. Gradients are then means over samples, not over replicas, and the
/// framework must account for that.
void deal_by_speed(std::vector<ReplicaWork>&, int group);

/// Returns `heterogeneous.mixed` with the number of layers on its stages that makes the step
/// shortest.
MixedNodes with_layers_by_speed(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                                const HeterogeneousNodes&);

}  // namespace simulation
}  // namespace tofn
