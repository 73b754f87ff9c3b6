#include "sim/simulation/slow_node.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "sim/cluster/best_products.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/placed_plan.hpp"

namespace tofn {
inline namespace simulation {

StageRange stages_of(const SlowNode& slow, const Plan& plan, const Cluster& cluster) {
  assert(slow.kernels >= 1 && slow.link >= 1 && slow.stage >= 0);
  if (slow.stage >= plan.pipeline_parallel_size)
    throw InputError({}, "--slow-stage",
                     fmt::format("there is no stage {}: the plan has {}", slow.stage + 1,
                                 plan.pipeline_parallel_size));
  if (!slow.is_slower()) return {};
  // Ranks of a stage are neighbours, and a node may hold parts of several stages.
  const int ranks = plan.accelerators();
  const int each = ranks / plan.pipeline_parallel_size;
  const int per_node = placed_job(plan, cluster).used_of(cluster.accelerators_per_node.value);
  const int first_rank = slow.stage * each / per_node * per_node;
  const int last_rank = std::min(ranks, first_rank + per_node) - 1;
  return {.first = first_rank / each, .end = last_rank / each + 1};
}

void slow_down(Accelerator& accelerator, KernelProfile& profile, double factor) {
  for (auto& peak : accelerator.peak)
    if (peak) peak->value = peak->value / factor;
  // A lower peak beside an unchanged best product would state a higher share of the peak.
  for (const BestProduct& best : best_products)
    if (auto& figure = accelerator.*best.figure) figure->value = figure->value / factor;
  accelerator.memory_bandwidth.value = accelerator.memory_bandwidth.value / factor;
  profile.kernel_start.value = factor * profile.kernel_start;
}

Cluster with_slow_links(Cluster cluster, PlacedJob job, double factor) {
  keep_measured(cluster);
  const bool has_torus = cluster.scale_up.torus.has_value();
  if (cluster.network && !job.fits(cluster.scale_up.domain_accelerators.value) && !has_torus)
    cluster.network->nic_bandwidth.value = cluster.network->nic_bandwidth.value / factor;
  else
    cluster.scale_up.bandwidth.value = cluster.scale_up.bandwidth.value / factor;
  return cluster;
}

}  // namespace simulation
}  // namespace tofn
