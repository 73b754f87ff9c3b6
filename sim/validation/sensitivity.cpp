#include "sim/validation/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/error.hpp"

namespace tofn {
namespace {

bool always(const Cluster&) { return true; }
bool never(const Cluster&) { return false; }
bool has_network(const Cluster& c) { return c.network.has_value(); }
bool is_torus(const Cluster& c) { return c.scale_up.kind == ScaleUpKind::Torus; }
bool has_spine_latency(const Cluster& c) { return c.network && c.network->spine_latency; }
bool has_power(const Cluster& c) { return c.node_maximum_power.has_value(); }

void scale_count(Sourced<int>& count, double factor) {
  count.value = std::max(1, static_cast<int>(std::lround(count.value * factor)));
}
void scale_share(Sourced<double>& share, double factor) {
  share.value = std::min(1.0, share.value * factor);
}

/// Jobs that reach every tier that the cluster has.
std::vector<int> jobs_of(const Cluster& cluster) {
  const int node = cluster.accelerators_per_node.value;
  const int domain = cluster.scale_up.domain_accelerators.value;
  std::vector<int> jobs{2, node, domain};
  if (cluster.network) {
    jobs.push_back(2 * domain);
    jobs.push_back(2 * std::max(domain, node * cluster.network->nodes_per_leaf.value));
  }
  return jobs;
}

/// Seconds of every collective of some sizes, reduction in the network asked for or not; below 0
/// where the cluster cannot run the job.
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

constexpr std::array keys{
    ClusterKey{"node.accelerators", always,
               [](Cluster& c, double by) { scale_count(c.accelerators_per_node, by); },
               [](const Cluster& c) { return !c.network; },
               "it shares out NICs, and there are none"},
    ClusterKey{"scale_up.domain_accelerators", always,
               [](Cluster& c, double by) { scale_count(c.scale_up.domain_accelerators, by); },
               never, ""},
    ClusterKey{"scale_up.bandwidth", always,
               [](Cluster& c, double by) { c.scale_up.bandwidth.value *= by; }, never, ""},
    ClusterKey{"scale_up.bandwidth_efficiency", always,
               [](Cluster& c, double by) { scale_share(c.scale_up.bandwidth_efficiency, by); },
               never, ""},
    ClusterKey{"scale_up.latency", always,
               [](Cluster& c, double by) { c.scale_up.latency.value *= by; },
               [](const Cluster& c) { return c.scale_up.latency.value.base() == 0; },
               "twice nothing is nothing"},
    ClusterKey{"network.nics_per_node", has_network,
               [](Cluster& c, double by) { scale_count(c.network->nics_per_node, by); }, never, ""},
    ClusterKey{"network.nic_bandwidth", has_network,
               [](Cluster& c, double by) { c.network->nic_bandwidth.value *= by; }, never, ""},
    ClusterKey{"network.bandwidth_efficiency", has_network,
               [](Cluster& c, double by) { scale_share(c.network->bandwidth_efficiency, by); },
               never, ""},
    ClusterKey{"network.latency", has_network,
               [](Cluster& c, double by) { c.network->latency.value *= by; },
               [](const Cluster& c) { return c.network->latency.value.base() == 0; },
               "twice nothing is nothing"},
    ClusterKey{
        "network.nodes_per_leaf", has_network,
        [](Cluster& c, double by) { scale_count(c.network->nodes_per_leaf, by); },
        [](const Cluster& c) { return c.network->oversubscription.value == 1 || is_torus(c); },
        "leaves are not felt below a spine without oversubscription, nor on a torus"},
    ClusterKey{"network.oversubscription", has_network,
               [](Cluster& c, double by) {
                 c.network->oversubscription.value =
                     std::max(1.0, c.network->oversubscription.value * by);
               },
               is_torus, "collectives of a torus stay on it"},
    ClusterKey{
        "network.spine_latency", has_spine_latency,
        [](Cluster& c, double by) { c.network->spine_latency->value *= by; },
        [](const Cluster& c) { return c.network->spine_latency->value.base() == 0 || is_torus(c); },
        "twice nothing is nothing, and collectives of a torus stay on it"},
    ClusterKey{"power.node_maximum", has_power,
               [](Cluster& c, double by) { c.node_maximum_power->value *= by; }, always,
               "energy is not predicted yet"},
};

}  // namespace

std::span<const ClusterKey> cluster_keys() { return keys; }

std::vector<ClusterKey> insensitive_keys(const Cluster& cluster) {
  const auto jobs = jobs_of(cluster);
  const auto before = times_on(cluster, jobs);
  std::vector<ClusterKey> idle;
  for (const ClusterKey& key : keys) {
    if (!key.is_stated(cluster)) continue;
    const auto changes = [&](double factor) {
      Cluster other = cluster;
      key.scale(other, factor);
      return times_on(other, jobs) != before;
    };
    if (!changes(2) && !changes(0.5)) idle.push_back(key);
  }
  return idle;
}

}  // namespace tofn
