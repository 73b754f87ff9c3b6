#include "sim/cluster/measured_group.hpp"

#include <algorithm>

#include "sim/cluster/measured_machine.hpp"

namespace tofn {
inline namespace cluster {

namespace {

/// Uses the measured all-reduce for reduce-scatter and all-gather if they were not measured.
void carry_over(MeasuredGroup& group) {
  const auto* whole = group.find(CollectiveKind::AllReduce);
  if (whole == nullptr) return;
  for (const CollectiveKind half : {CollectiveKind::ReduceScatter, CollectiveKind::AllGather}) {
    auto& measured = group.collectives[static_cast<std::size_t>(half)];
    if (measured) continue;
    measured = *whole;
    measured->of = CollectiveKind::AllReduce;
  }
}

/// Job of `ranks` ranks that uses `used_of_node` accelerators of each node.
PlacedJob job_on(const Cluster& cluster, int ranks, int used_of_node) {
  return used_of_node < cluster.accelerators_per_node.value ? PlacedJob(ranks, used_of_node)
                                                            : PlacedJob(ranks);
}

}  // namespace

std::shared_ptr<const MeasuredGroup> measured_group(const Cluster& cluster, int ranks,
                                                    int used_of_node) {
  const int per_node = std::min(ranks, used_of_node);
  const int nodes = ranks / per_node;
  const bool is_what_if = cluster.measured->on.has_value();
  const Cluster& measured = is_what_if ? *cluster.measured->on : cluster;
  MeasuredGroup group;
  bool any = false;
  for (const auto& [name, kind] : collective_kinds) {
    auto found = cluster.measured->collectives.find(kind, per_node, nodes);
    if (!found) continue;
    any = true;
    const int its_ranks = per_node * found->nodes;
    std::optional<Communicator> on;
    if (is_what_if || found->nodes != nodes)
      on = place({1, its_ranks}, measured, job_on(measured, its_ranks, used_of_node));
    if (on) on->measured = on->measured_inside = nullptr;
    group.collectives[static_cast<std::size_t>(kind)] = {std::move(found->curve), std::move(on)};
  }
  carry_over(group);
  return any ? std::make_shared<const MeasuredGroup>(std::move(group)) : nullptr;
}

}  // namespace cluster
}  // namespace tofn
