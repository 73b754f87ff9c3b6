#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// A node of a job that is slower than the others, by factors of at least 1.
struct SlowNode {
  double kernels = 1;  ///< factor on the time of kernels
  /// Factor on the time per byte of one NIC, or of one accelerator's scale-up link if the job needs
  /// no network.
  double link = 1;
  int stage = 0;  ///< a pipeline stage on the node; its replica is the slowest one

  bool is_slower() const { return kernels != 1 || link != 1; }
};

/// Pipeline stages from `first` to before `end`.
struct StageRange {
  int first = 0;
  int end = 0;

  bool is_empty() const { return first >= end; }
  bool holds(int stage) const { return first <= stage && stage < end; }
};

/// Stages with ranks on the node. InputError if the plan lacks the stated stage.
StageRange stages_of(const SlowNode&, const Plan&, const Cluster&);

/// Makes all kernels take `factor` times as long: divides rates, multiplies start times.
void slow_down(Accelerator&, KernelProfile&, double factor);

/// Returns the cluster with slower links of the kind that the job's largest groups share: NICs,
/// otherwise scale-up. Measured collectives stay those of the unchanged cluster.
Cluster with_slow_links(Cluster, PlacedJob, double factor);

/// Attaches measured collectives to the cluster as it is now, before it is changed.
inline void keep_measured(Cluster& cluster) {
  if (cluster.measured == nullptr || cluster.measured->on) return;
  cluster.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{cluster.measured->name, cluster.measured->collectives, cluster});
}

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
