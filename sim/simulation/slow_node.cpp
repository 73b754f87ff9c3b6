#include "sim/simulation/slow_node.hpp"

#include <algorithm>
#include <cassert>
#include <memory>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
namespace {

/// An accelerator all of whose kernels take that many times as long: rates divided, starts
/// multiplied.
void slow_down(StageHardware& hardware, double factor) {
  for (auto& peak : hardware.accelerator.peak)
    if (peak) peak->value = peak->value / factor;
  hardware.accelerator.memory_bandwidth.value =
      hardware.accelerator.memory_bandwidth.value / factor;
  hardware.profile.kernel_start.value = factor * hardware.profile.kernel_start;
}

/// The links that the job's largest groups share. Measured collectives are those of the cluster as
/// it was.
Cluster with_slow_links(Cluster cluster, int ranks, double factor) {
  if (cluster.measured != nullptr && !cluster.measured->on)
    cluster.measured = std::make_shared<const MeasuredMachine>(
        MeasuredMachine{cluster.measured->name, cluster.measured->collectives, cluster});
  const bool has_torus = cluster.scale_up.torus.has_value();
  if (cluster.network && ranks > cluster.scale_up.domain_accelerators.value && !has_torus)
    cluster.network->nic_bandwidth.value = cluster.network->nic_bandwidth.value / factor;
  else
    cluster.scale_up.bandwidth.value = cluster.scale_up.bandwidth.value / factor;
  return cluster;
}

}  // namespace

JobHardware job_hardware(const Plan& plan, const Cluster& cluster, const KernelProfile& profile,
                         const SlowNode& slow) {
  assert(slow.kernels >= 1 && slow.link >= 1 && slow.stage >= 0);
  const StageHardware usual{cluster.accelerator, profile, place_groups(plan, cluster)};
  JobHardware job{.usual = usual, .slow = usual};
  if (slow.stage >= plan.pipeline_parallel_size)
    throw InputError({}, "--slow-stage",
                     fmt::format("there is no stage {}: the plan has {}", slow.stage + 1,
                                 plan.pipeline_parallel_size));
  if (!slow.is_slower()) return job;
  slow_down(job.slow, slow.kernels);
  const int ranks = plan.accelerators();
  if (slow.link != 1)
    job.slow.communicators = place_groups(plan, with_slow_links(cluster, ranks, slow.link));
  // Ranks of a stage are neighbours; a node may hold parts of several stages.
  const int each = ranks / plan.pipeline_parallel_size;
  const int per_node = cluster.accelerators_per_node.value;
  const int first_rank = slow.stage * each / per_node * per_node;
  const int last_rank = std::min(ranks, first_rank + per_node) - 1;
  job.first_slow = first_rank / each;
  job.end_slow = last_rank / each + 1;
  return job;
}

}  // namespace tofn
