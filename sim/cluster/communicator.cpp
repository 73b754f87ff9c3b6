#include "sim/cluster/communicator.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/cluster/measured_group.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace cluster {
namespace {

int ceil_divide(int a, int b) { return (a + b - 1) / b; }

/// Basis of the links of all tiers up to this one.
Basis basis_of(const Cluster& cluster, Use farthest) {
  bool is_assumed = false;
  const auto look_at = [&](const ClusterField& field, const auto& figure) {
    if (!field.role.bears_basis || field.use > farthest) return;
    if (const auto* found = stated(figure)) is_assumed = is_assumed || found->is_assumed();
  };
  visit_cluster(look_at, cluster);
  return is_assumed ? Basis::Assumed : Basis::Formula;
}

/// NICs per rank of a set. All sets together cover all accelerators of the node. One set alone
/// shares a NIC only with those of its own ranks that sit beside it.
double nics_per_rank(const Cluster& cluster, RankSet set, Concurrency concurrency) {
  const int accelerators = cluster.accelerators_per_node.value;
  const int nics = cluster.network->nics_per_node.value;
  const double fair = static_cast<double>(nics) / accelerators;
  if (concurrency == Concurrency::AllSets || nics >= accelerators) return fair;
  const int beside = ceil_divide(accelerators, nics);
  return std::max(fair, 1.0 / ceil_divide(beside, set.stride));
}

Link network_link(const Cluster& cluster, double nics) {
  const Network& network = *cluster.network;
  return {.latency = network.latency.value,
          .bandwidth = network.nic_bandwidth.value * (nics * network.bandwidth_efficiency.value),
          .reduces_in_switch = network.in_network_reduction.value,
          .filling = network.family.filling_factor};
}

/// Number of accelerators below a leaf that a job uses.
int used_of_leaf(const Cluster& cluster, PlacedJob placed) {
  const int leaf = cluster.network->nodes_per_leaf.value * cluster.accelerators_per_node.value;
  const int domain = cluster.scale_up.domain_accelerators.value;
  const int used = placed.used_of(domain);
  return leaf / domain * used + std::min(leaf % domain, used);
}

/// Sets the spine and the leaves, which hold whole nodes in the order of the ranks. One set alone
/// loads the spine only with the traffic of its own NICs.
void place_below_spine(RankSet set, const Cluster& cluster, PlacedJob placed, double nics,
                       Concurrency concurrency, Communicator& c) {
  const Network& network = *cluster.network;
  const int per_node = cluster.accelerators_per_node.value;
  const int leaf = used_of_leaf(cluster, placed);
  const int reach = set.stride * set.count;
  c.spine.domains_per_leaf = std::clamp(leaf / (set.stride * c.ranks_per_domain), 1, c.domains);
  c.leaves = ceil_divide(c.domains, c.spine.domains_per_leaf);
  const bool a_sibling_straddles = c.leaves == 1 && placed.accelerators > leaf && leaf % reach != 0;
  if (a_sibling_straddles && concurrency == Concurrency::AllSets) {
    c.leaves = 2;
    c.spine.domains_per_leaf = ceil_divide(c.domains, 2);
  }
  if (c.leaves == 1) return;
  const double load = concurrency == Concurrency::AllSets
                          ? 1
                          : ceil_divide(per_node, set.stride) * nics / network.nics_per_node.value;
  c.spine.oversubscription = std::max(1.0, network.oversubscription.value * load);
  if (network.spine_latency) c.spine.latency = network.spine_latency->value;
}

TorusShape torus_of(const Cluster& cluster, int job_ranks) {
  const auto& torus = cluster.scale_up.torus;
  if (!torus) return {};
  const int dimensions = torus->dimensions.value;
  return {dimensions, torus->closes_from.value, job_ranks,
          links_out_of(cluster.scale_up.domain_accelerators.value, dimensions)};
}

Communicator place_by_formula(RankSet set, const Cluster& cluster, PlacedJob placed,
                              Concurrency concurrency) {
  const int job_ranks = placed.accelerators;
  assert(set.count >= 1 && set.stride >= 1 && set.stride * set.count <= job_ranks);
  const int domain =
      std::min(placed.used_of(cluster.scale_up.domain_accelerators.value), job_ranks);
  const int full = std::clamp(domain / set.stride, 1, set.count);
  Communicator result;
  result.ranks = set.count;
  result.domains = ceil_divide(set.count, full);
  // If a set of three is on domains of eight, one of its siblings spans two domains.
  const bool a_sibling_straddles = concurrency == Concurrency::AllSets && result.domains == 1 &&
                                   job_ranks > domain && domain % (set.stride * set.count) != 0;
  if (a_sibling_straddles) result.domains = 2;
  result.ranks_per_domain = std::max(1, set.count / result.domains);
  result.scale_up = {
      .latency = cluster.scale_up.latency.value,
      .bandwidth = cluster.scale_up.bandwidth.value * cluster.scale_up.bandwidth_efficiency.value,
      .reduces_in_switch = cluster.scale_up.in_switch_reduction.value,
      .filling = cluster.scale_up.family.filling_factor,
      .multicast = cluster.scale_up.family.multicast_efficiency.value};
  if (!result.one_domain()) {
    if (!cluster.network)
      throw InputError(
          fmt::format("cluster {} has no network: {} ranks do not fit its scale-up domain of {}",
                      cluster.name, job_ranks, domain));
    const double nics = nics_per_rank(cluster, set, concurrency);
    result.network = network_link(cluster, nics);
    result.protocols = cluster.network->protocols;
    place_below_spine(set, cluster, placed, nics, concurrency, result);
  }
  result.torus = part_of_torus(torus_of(cluster, job_ranks), set, concurrency);
  result.library = cluster.scale_up.torus ? CollectiveLibrary::Xla : cluster.library;
  if (const auto& copies = cluster.host_copies)
    result.staging = {.latency = copies->latency.value, .bandwidth = copies->bandwidth.value};
  result.all_reduce = cluster.all_reduce;
  if (cluster.scale_up.kind == ScaleUpKind::Mesh)
    result.mesh_links = cluster.scale_up.domain_accelerators.value - 1;
  result.scale_up_basis = basis_of(cluster, Use::ScaleUp);
  result.basis = result.one_domain()
                     ? result.scale_up_basis
                     : basis_of(cluster, result.leaves > 1 ? Use::Spine : Use::Network);
  return result;
}

}  // namespace

int Cluster::nodes_of(PlacedJob job) const {
  const int per_node = accelerators_per_node.value;
  const int used = job.used_of(scale_up.domain_accelerators.value);
  if (used < job.per_domain) return ceil_divide(job.accelerators, per_node);
  return job.accelerators / used * ceil_divide(used, per_node) +
         ceil_divide(job.accelerators % used, per_node);
}

int Cluster::idle_beside(PlacedJob job) const {
  const int per_node = accelerators_per_node.value;
  const int used = job.used_of(scale_up.domain_accelerators.value);
  if (used < job.per_domain) return 0;
  return job.accelerators / used * (ceil_divide(used, per_node) * per_node - used);
}

Communicator place(RankSet set, const Cluster& cluster, PlacedJob job, Concurrency concurrency) {
  Communicator result = place_by_formula(set, cluster, job, concurrency);
  if (cluster.measured == nullptr || set.stride > 1) return result;
  const int node = job.used_of(cluster.accelerators_per_node.value);
  const bool is_apart = result.one_domain() || set.count == job.accelerators;
  const bool fills_nodes = set.count <= node || set.count % node == 0;
  if (!is_apart || !fills_nodes) return result;
  result.measured = measured_group(cluster, set.count, node);
  if (!result.one_domain())
    result.measured_inside = measured_group(cluster, result.ranks_per_domain, node);
  return result;
}

BytesPerSecond network_bandwidth(const Communicator& c, double crossing) {
  return c.network.bandwidth / std::max(1.0, c.spine.oversubscription * crossing);
}

double ring_crossing(const Communicator& c) { return 1.0 / c.spine.domains_per_leaf; }

Communicator with_scaled_links(Communicator c, double latency, double bandwidth) {
  for (Seconds* each : {&c.scale_up.latency, &c.network.latency, &c.spine.latency})
    *each *= latency;
  c.scale_up.bandwidth *= bandwidth;
  c.network.bandwidth *= bandwidth;
  return c;
}

Communicator with_effects(Communicator c, const LinkEffects& effects) {
  const auto factor = [&](LinkEffect effect) {
    return std::exp(effects[static_cast<std::size_t>(effect)]);
  };
  c.start *= factor(LinkEffect::Start);
  c.scale_up.latency *= factor(LinkEffect::ScaleUpLatency);
  c.scale_up.bandwidth /= factor(LinkEffect::ScaleUpBandwidth);
  c.scale_up.filling *= factor(LinkEffect::ScaleUpFilling);
  c.network.latency *= factor(LinkEffect::NetworkLatency);
  c.network.bandwidth /= factor(LinkEffect::NetworkBandwidth);
  c.network.filling *= factor(LinkEffect::NetworkFilling);
  return c;
}

Communicator between_domains(const Communicator& whole) {
  Communicator part = whole;
  part.ranks = whole.domains;
  part.ranks_per_domain = 1;
  part.measured = nullptr;  // logs are from all ranks, or from one rail alone
  part.measured_inside = nullptr;
  const RankSet set = whole.torus.set;
  part.torus =
      part_of_torus(whole.torus.whole, {set.stride * whole.ranks_per_domain, whole.domains},
                    whole.torus.concurrency);
  return part;
}

Communicator inside_domain(const Communicator& whole) {
  Communicator part = whole;
  part.ranks = whole.ranks_per_domain;
  part.domains = 1;
  part.leaves = 1;
  part.spine = {};
  part.protocols = {};
  part.torus = part_of_torus(whole.torus.whole, {whole.torus.set.stride, whole.ranks_per_domain},
                             whole.torus.concurrency);
  part.basis = whole.scale_up_basis;
  if (!whole.one_domain()) part.measured = whole.measured_inside;
  return part;
}

}  // namespace cluster
}  // namespace tofn
