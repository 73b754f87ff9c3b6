#include "sim/validation/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace validation {
namespace {

/// Numbers of ranks whose jobs reach every tier of the cluster.
std::vector<int> jobs_of(const Cluster& cluster) {
  const int node = cluster.accelerators_per_node.value;
  const int domain = cluster.scale_up.domain_accelerators.value;
  std::vector<int> jobs{2, node, domain};
  if (cluster.scale_up.torus) jobs.push_back(cluster.scale_up.torus->closes_from.value);
  if (cluster.network) {
    jobs.push_back(2 * domain);
    jobs.push_back(2 * std::max(domain, node * cluster.network->nodes_per_leaf.value));
  }
  return jobs;
}

/// Seconds of every collective of some sizes, with and without reduction in the network; below 0 if
/// the cluster cannot run the job.
std::vector<double> times_on(const Cluster& cluster, const std::vector<int>& jobs) {
  constexpr std::array sizes{8.0, 65536.0, 4194304.0, 1073741824.0};
  std::vector<double> times;
  for (const int job : jobs) {
    try {
      const Communicator c = place({.stride = 1, .count = job}, cluster, job);
      for (const auto& [name, kind] : collective_kinds)
        for (const double size : sizes)
          for (const bool in_network : {false, true})
            times.push_back(collective_cost(kind, Bytes(size), c, in_network).time.base());
    } catch (const InputError&) {
      times.push_back(-1);
    }
  }
  return times;
}

/// Reason why a figure of this value may have no effect on the cluster; empty if there is none.
std::string_view excuse(const ClusterField& field, double value, const Cluster& cluster) {
  const bool is_torus = cluster.scale_up.kind == ScaleUpKind::Torus;
  if (field.use == Use::Energy) return "collectives take time, not power";
  if (field.use == Use::Kernels) return "collectives wait for links, not for arithmetic";
  if (value == 0) return "twice nothing is nothing";
  if (field.use == Use::Spine && is_torus) return "collectives of a torus stay on it";
  if (field.dotted().starts_with("scale_up.") && cluster.scale_up.domain_accelerators.value == 1)
    return "a domain of one accelerator exchanges nothing";
  if (field.dotted() == "node.accelerators" && !cluster.network)
    return "it shares out NICs, and there are none";
  if (field.dotted() == "network.nodes_per_leaf" && cluster.network->oversubscription.value == 1)
    return "leaves are not felt below a spine without oversubscription";
  return {};
}

/// Returns `cluster` with one figure multiplied by `factor`.
Cluster with(const Cluster& cluster, const ClusterField& changed, double factor) {
  Cluster other = cluster;
  const auto change = [&](const ClusterField& field, auto& figure) {
    if (field.section != changed.section || field.key != changed.key) return;
    stated(figure)->value = scaled(stated(figure)->value, factor, field.range);
  };
  visit_cluster(change, other);
  return other;
}

}  // namespace

std::vector<IdleFigure> idle_figures(const Cluster& cluster) {
  const auto jobs = jobs_of(cluster);
  const auto before = times_on(cluster, jobs);
  std::vector<IdleFigure> idle;
  const auto ask = [&](const ClusterField& field, const auto& figure) {
    const auto* found = stated(figure);
    if (found == nullptr || std::is_same_v<decltype(found->value), bool>) return;
    for (const double factor : {2.0, 0.5})
      if (times_on(with(cluster, field, factor), jobs) != before) return;
    idle.push_back({field.dotted(), excuse(field, number_of(*found), cluster)});
  };
  visit_cluster(ask, cluster);
  return idle;
}

}  // namespace validation
}  // namespace tofn
