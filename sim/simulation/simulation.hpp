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

/// Replicas whose pace is their own. Those of one node share it; the nodes of one replica wait for
/// each other in every measured step, so that efficiencies fitted to such hold it already.
double independent_replicas(const Plan&, const Cluster&);

/// The plan with the layers that heterogeneous nodes take, where they take other than its own.
Plan with_dealt_layers(Plan, const HeterogeneousNodes&, std::span<const LayerWork>);

/// What one rank of each pipeline stage does in a step, in seconds, in replicas that are alike.
struct ReplicaWork {
  int replicas = 1;
  StepWork work;
};

/// Of each kind of replicas, with equal numbers of micro-batches: one kind unless heterogeneous
/// nodes hold replicas, then the cluster's own first. With a slow node: of the replica that it is
/// in. InputError where the plan does not divide the model, the nodes do not mix, or the job needs
/// a network that the cluster lacks.
std::vector<ReplicaWork> replica_works(const Model&, const Plan&, const Cluster&,
                                       const KernelProfile&, const HeterogeneousNodes&);

/// The same where all replicas are alike.
StepWork step_work(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                   const SlowNode& = {});
/// [kind of hardware][layer] without data-parallel traffic.
using KindTimes = std::vector<std::vector<LayerTimes>>;
/// What it costs to run the layers of a plan on a cluster's own nodes; `times` where there are any.
const KindTimes& layer_times(const Model&, std::span<const LayerWork>, KindTimes& times,
                             const Plan&, const Cluster&, const KernelProfile&);
/// With the model's layers on that plan (`layer_work`) at hand, placed on its stages, and their
/// times: worked out where there are none.
StepWork step_work(const Model&, std::span<const LayerWork>, const PlacedLayers&, KindTimes&,
                   const Plan&, const Cluster&, const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
