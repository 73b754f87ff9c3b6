#pragma once

#include <span>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/job_hardware.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// Number of replicas with a pace of their own. Replicas of one node share a pace. Nodes of one
/// replica wait for each other in every measured step, so that fitted efficiencies include it.
double independent_replicas(const Plan&, const Cluster&);

/// Returns the plan with the stage layers that heterogeneous nodes take, if they state them.
Plan with_dealt_layers(Plan, const HeterogeneousNodes&, std::span<const LayerWork>);

/// Seconds of one rank of each pipeline stage in a step, for replicas that are alike.
struct ReplicaWork {
  int replicas = 1;
  StepWork work;
};

/// Work of each kind of replica, with equal numbers of micro-batches: one kind, or two if
/// heterogeneous nodes hold replicas, the cluster's own first. With a slow node, it is that of the
/// replica with that node. InputError if the plan does not divide the model, the nodes do not mix,
/// or the job needs a network that the cluster lacks.
std::vector<ReplicaWork> replica_works(const Model&, const Plan&, const Cluster&,
                                       const KernelProfile&, const HeterogeneousNodes&);

/// Work of a replica if all replicas are alike; throws as `replica_works` does.
StepWork step_work(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                   const SlowNode& = {});
/// Times of the layers on one kind of hardware, without data-parallel traffic.
struct HardwareTimes {
  std::vector<LayerTimes> layers{};
  AnsweredCollectives answered{};  ///< collectives of the layers
};
/// Layer times by kind of hardware.
using KindTimes = std::vector<HardwareTimes>;
/// Times of the plan's layers on the cluster's own nodes; fills `times` if empty.
const KindTimes& layer_times(const Model&, std::span<const LayerWork>, KindTimes& times,
                             const Plan&, const Cluster&, const KernelProfile&);
/// Step of layers that the caller already computed for the plan (`layer_work`) and placed on its
/// stages. Fills their times if empty.
StepWork step_work(const Model&, std::span<const LayerWork>, const PlacedLayers&, KindTimes&,
                   const Plan&, const Cluster&, const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
