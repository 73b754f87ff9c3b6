#include "sim/cluster/communicator.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "sim/cluster/measured_group.hpp"
#include "sim/core/error.hpp"

namespace tofn {
namespace {

int ceil_divide(int a, int b) { return (a + b - 1) / b; }

Basis basis_of(const Cluster& cluster, bool crosses_network, bool crosses_spine) {
  const ScaleUpFabric& inner = cluster.scale_up;
  bool assumed = inner.bandwidth.is_assumed() || inner.bandwidth_efficiency.is_assumed() ||
                 inner.latency.is_assumed();
  if (crosses_network) {
    const Network& outer = *cluster.network;
    assumed = assumed || outer.nics_per_node.is_assumed() || outer.nic_bandwidth.is_assumed() ||
              outer.bandwidth_efficiency.is_assumed() || outer.latency.is_assumed() ||
              (crosses_spine && outer.oversubscription.is_assumed());
  }
  return assumed ? Basis::Assumed : Basis::Formula;
}

/// Every accelerator's share of its node's NICs. Sibling sets cover all accelerators of the node,
/// so each has 1/accelerators_per_node of the NICs whatever the stride.
Link network_link(const Cluster& cluster, int leaves) {
  const Network& network = *cluster.network;
  const double spine = leaves > 1 ? std::max(1.0, network.oversubscription.value) : 1.0;
  const double per_accelerator = network.nics_per_node.value * network.bandwidth_efficiency.value /
                                 cluster.accelerators_per_node.value / spine;
  return {.latency = network.latency.value,
          .bandwidth = network.nic_bandwidth.value * per_accelerator,
          .reduces_in_switch = network.in_network_reduction.value};
}

Communicator place_by_formula(RankSet set, const Cluster& cluster, int job_ranks) {
  assert(set.count >= 1 && set.stride >= 1 && set.stride * set.count <= job_ranks);
  const int domain = std::min(cluster.scale_up.domain_accelerators.value, job_ranks);
  const int full = std::clamp(domain / set.stride, 1, set.count);
  Communicator result;
  result.ranks = set.count;
  result.domains = ceil_divide(set.count, full);
  // A set of three on domains of eight: one of its siblings lies across two domains.
  const bool a_sibling_straddles =
      result.domains == 1 && job_ranks > domain && domain % (set.stride * set.count) != 0;
  if (a_sibling_straddles) result.domains = 2;
  result.ranks_per_domain = std::max(1, set.count / result.domains);
  result.scale_up = {
      .latency = cluster.scale_up.latency.value,
      .bandwidth = cluster.scale_up.bandwidth.value * cluster.scale_up.bandwidth_efficiency.value,
      .reduces_in_switch = cluster.scale_up.in_switch_reduction.value};
  if (!result.one_domain()) {
    if (!cluster.network)
      throw InputError(
          fmt::format("cluster {} has no network: {} ranks do not fit its scale-up domain of {}",
                      cluster.name, job_ranks, domain));
    const int nodes = ceil_divide(job_ranks, cluster.accelerators_per_node.value);
    result.leaves = ceil_divide(nodes, cluster.network->nodes_per_leaf.value);
    result.network = network_link(cluster, result.leaves);
  }
  result.scale_up_basis = basis_of(cluster, false, false);
  result.basis =
      result.one_domain() ? result.scale_up_basis : basis_of(cluster, true, result.leaves > 1);
  return result;
}

}  // namespace

Communicator place(RankSet set, const Cluster& cluster, int job_ranks) {
  Communicator result = place_by_formula(set, cluster, job_ranks);
  if (cluster.measured == nullptr || set.stride > 1) return result;
  const int node = cluster.accelerators_per_node.value;
  const bool is_apart = result.one_domain() || set.count == job_ranks;
  const bool fills_nodes = set.count <= node || set.count % node == 0;
  if (!is_apart || !fills_nodes) return result;
  result.measured = measured_group(cluster, set.count);
  if (!result.one_domain())
    result.measured_inside = measured_group(cluster, result.ranks_per_domain);
  return result;
}

Communicator between_domains(const Communicator& whole) {
  Communicator part = whole;
  part.ranks = whole.domains;
  part.ranks_per_domain = 1;
  part.measured = nullptr;  // logs are of all ranks, or of one rail alone
  part.measured_inside = nullptr;
  return part;
}

Communicator inside_domain(const Communicator& whole) {
  Communicator part = whole;
  part.ranks = whole.ranks_per_domain;
  part.domains = 1;
  part.leaves = 1;
  part.basis = whole.scale_up_basis;
  if (!whole.one_domain()) part.measured = whole.measured_inside;
  return part;
}

}  // namespace tofn
