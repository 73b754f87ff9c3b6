#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/core/answered_collectives.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/mixed_nodes.hpp"

namespace tofn {
inline namespace simulation {

/// Ranks that hold the same parameters: all, those of one node or domain, and one of each node.
struct GradientGroups {
  Communicator data, node, between;
};
/// Takes the ranks of one scale-up domain as the node.
GradientGroups groups_by_domain(const Communicator& data);

/// The groups of ranks of a plan, placed on a cluster. The network reduces in its switches if it
/// can and the plan requests it.
struct Communicators {
  Communicator tensor, context, expert, pipeline;
  /// Ranks that hold the same parameters, and the same experts. If the plan shards something in
  /// groups (`shard_ranks`, `shards_in_domain`), `node` shares one copy of the sharded state, and
  /// `between` has the rank at the same place of each copy.
  GradientGroups gradients, expert_gradients;
  Communicator ends;  ///< a rank of the first stage and its counterpart of the last

  const Communicator& of(Group) const;
};
/// InputError if ep does not divide the plan's ranks, or if the job needs a network that the
/// cluster lacks.
Communicators place_groups(const Plan&, const Cluster&);

/// Cost of a collective of a running step on one of these communicators.
CollectiveCost exchange_cost(CollectiveKind, Bytes payload, const Communicator&);

/// Nodes of a job that differ from the others.
struct HeterogeneousNodes {
  SlowNode slow{};
  std::optional<MixedNodes> mixed{};
};

/// Hardware of a pipeline stage.
struct StageHardware {
  std::shared_ptr<const Accelerator> accelerator;  ///< the cluster's own, or a slower copy
  std::shared_ptr<const KernelProfile> profile;    ///< the job's, or a slower copy
  Communicators communicators;
};

/// Replicas with the same hardware, stage by stage.
struct ReplicaHardware {
  int replicas = 1;
  std::vector<std::size_t> stages;  ///< by stage: index into `JobHardware::kinds`
};

/// The hardware of a job's stages. Cluster, profile and heterogeneous nodes must outlive it. Ranks
/// of a group wait for their slowest member, and a collective for its slowest link, so that a whole
/// stage is as slow as the slow node's part of it.
struct JobHardware {
  std::vector<StageHardware> kinds;
  std::vector<ReplicaHardware> replicas;
};

/// InputError if the plan lacks the slow stage, the nodes do not mix (`check_mixed`), ep does not
/// divide the plan's ranks, or the job needs a network that the cluster lacks.
JobHardware job_hardware(const Plan&, const Cluster&, const KernelProfile&,
                         const HeterogeneousNodes& = {});

}  // namespace simulation
}  // namespace tofn
