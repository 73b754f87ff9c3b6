#pragma once

#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/slow_node.hpp"

namespace tofn {
inline namespace simulation {

/// Nodes of a job that are another cluster's: a second kind of accelerator. They hold whole
/// replicas, or whole stages of every replica.
struct MixedNodes {
  Cluster cluster;
  int nodes = 1;
  StageRange stages{};          ///< that they hold; empty: they hold replicas
  std::optional<int> layers{};  ///< of these stages together; absent: as many a stage as others
  /// Both kinds finish as close to each other as whole numbers allow: of micro-batches for their
  /// replicas, or of layers for their stages. Else these are equal.
  bool deals_by_speed = false;
};

/// Replicas that lie on them.
int replicas_on(const MixedNodes&, const Plan&);

/// Layers of every stage, evenly among those of a kind, out of `layers` in all; none stated where
/// the other nodes take as many as any. InputError where a stage would be without.
StageLayers stage_layers(const MixedNodes&, const Plan&, int layers);

/// InputError where nodes of the two clusters do not make up this plan's job: different in size,
/// without a network, too many, or holding parts of replicas, stages or groups of experts.
void check_mixed(const MixedNodes&, const Plan&, const Cluster&);

/// What ranks of both kinds communicate over: of scale-up fabric and network each figure of the
/// slower one. Measured collectives are the first one's, carried over.
Cluster joined(const Cluster&, const Cluster& other);

}  // namespace simulation
}  // namespace tofn
