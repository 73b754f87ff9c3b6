#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/communicators.hpp"
#include "sim/simulation/mixed_nodes.hpp"

namespace tofn {
inline namespace simulation {

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
