#pragma once

#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/slow_node.hpp"

namespace tofn {
inline namespace simulation {

/// Nodes of a job that belong to another cluster, with a second kind of accelerator. They hold
/// whole replicas, or whole stages of every replica.
struct MixedNodes {
  Cluster cluster;
  int nodes = 1;
  StageRange stages{};          ///< that these nodes hold; empty if they hold replicas
  std::optional<int> layers{};  ///< total on these stages; absent: as many a stage as on the others
  /// True if both kinds finish as close together as whole numbers allow: of micro-batches if the
  /// nodes hold replicas, or of layers if they hold stages. False: equal shares.
  bool deals_by_speed = false;
};

/// Number of replicas on the other cluster's nodes.
int replicas_on(const MixedNodes&, const Plan&);

/// Spreads `layers` layers over the stages, evenly within each kind of node; states none if the
/// other nodes take the default number. InputError if a stage would have no layer.
StageLayers stage_layers(const MixedNodes&, const Plan&, int layers);

/// InputError if nodes of the two clusters do not make up this plan's job: they differ in size,
/// lack a network, are too many, or hold parts of replicas, stages or groups of experts.
void check_mixed(const MixedNodes&, const Plan&, const Cluster&);

/// Cluster for groups that span both kinds of nodes: the slower figure of the two for scale-up
/// fabric and network. Measured collectives are those of the first cluster, carried over.
Cluster joined(const Cluster&, const Cluster& other);

}  // namespace simulation
}  // namespace tofn
