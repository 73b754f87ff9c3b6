#pragma once

#include <memory>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// A node of a job that is slower than the others. Factors are at least 1.
struct SlowNode {
  double kernels = 1;  ///< take that many times as long
  double link = 1;     ///< so does a byte on one of its NICs, or, where the job does without a
                       ///< network, on one accelerator's scale-up link
  int stage = 0;       ///< a pipeline stage that it holds; the replica is the slowest one's

  bool is_slower() const { return kernels != 1 || link != 1; }
};

/// Pipeline stages from `first` to before `end`.
struct StageRange {
  int first = 0;
  int end = 0;

  bool is_empty() const { return first >= end; }
  bool holds(int stage) const { return first <= stage && stage < end; }
};

/// The stages that ranks of the node are in. InputError where the plan lacks the one asked for.
StageRange stages_of(const SlowNode&, const Plan&, const Cluster&);

/// All kernels take `factor` times as long: rates divided, starts multiplied.
void slow_down(Accelerator&, KernelProfile&, double factor);

/// With slower links of the kind that the job's largest groups share: NICs, else scale-up.
/// Measured collectives become those of the cluster as it was.
Cluster with_slow_links(Cluster, PlacedJob, double factor);

/// Before a cluster is changed: what was measured on it stays a measurement of it as it was.
inline void keep_measured(Cluster& cluster) {
  if (cluster.measured == nullptr || cluster.measured->on) return;
  cluster.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{cluster.measured->name, cluster.measured->collectives, cluster});
}

}  // namespace simulation
}  // namespace tofn
