#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/slow_node.hpp"

namespace tofn {

/// Nodes of a job that are another cluster's: a second kind of accelerator. They hold whole
/// replicas, or whole stages of every replica.
struct MixedNodes {
  Cluster cluster;
  int nodes = 1;
  StageRange stages{};          ///< that they hold; empty: they hold replicas
  bool deals_by_speed = false;  ///< replicas get unlike numbers of micro-batches, so that both
                                ///< kinds finish as close to each other as whole ones allow
};

/// Replicas that lie on them.
int replicas_on(const MixedNodes&, const Plan&);

/// InputError where nodes of the two clusters do not make up this plan's job: unlike in size,
/// without a network, too many, or holding parts of replicas, stages or groups of experts.
void check_mixed(const MixedNodes&, const Plan&, const Cluster&);

/// What ranks of both kinds communicate over: of scale-up fabric and network each figure of the
/// slower one. Measured collectives are the first one's, carried over.
Cluster joined(const Cluster&, const Cluster& other);

}  // namespace tofn
