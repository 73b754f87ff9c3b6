#include "sim/validation/link_lint.hpp"

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/validation/fit_ramps.hpp"

namespace tofn {
inline namespace validation {
namespace {

// Logs print times and bandwidths with three digits or more.
constexpr double rounding = 0.99;

LinkBound bound_of(const Algorithm& algorithm, Bytes payload, const Communicator& c) {
  const LinkTraffic moved = algorithm.traffic(payload, c);
  // One rank of each node sends to the next node in send-receive, and may use every NIC.
  const double sharing =
      algorithm.collective == CollectiveKind::SendReceive ? c.ranks_per_domain : 1.0;
  const BytesPerSecond network = c.network.bandwidth * sharing;
  LinkBound bound{{}, algorithm.name, "scale-up", moved.scale_up, c.scale_up.bandwidth};
  if (moved.scale_up.base() > 0) bound.time = moved.scale_up / c.scale_up.bandwidth;
  if (moved.network.base() <= 0 || moved.network / network <= bound.time) return bound;
  return {moved.network / network, algorithm.name, "network", moved.network, network};
}

std::string problem_of(const CollectiveRow& row, const LinkBound& bound) {
  return fmt::format(
      "{} took {}, but the least of all algorithms ({}) moves {} over {} links of {} a rank and "
      "direction: {}",
      to_text(row.size), to_text(row.time()), bound.algorithm, to_text(bound.moved), bound.tier,
      to_text(bound.bandwidth), to_text(bound.time));
}

}  // namespace

Cluster with_full_links(Cluster cluster) {
  cluster.scale_up.bandwidth_efficiency.value = 1;
  if (cluster.network) {
    cluster.network->bandwidth_efficiency.value = 1;
    cluster.network->oversubscription.value = 1;  // the whole job may be below one leaf
  }
  return cluster;
}

Communicator nominal_links(const Cluster& cluster, int ranks, int nodes) {
  Communicator c = placed_on(with_full_links(cluster), ranks, nodes);
  if (!c.one_domain()) {
    const Network& network = *cluster.network;
    const int used = ranks / nodes;  // idle accelerators leave them their NICs
    c.network.bandwidth =
        network.nic_bandwidth.value * (static_cast<double>(network.nics_per_node.value) / used);
  }
  return c;
}

LinkBound least_time(CollectiveKind kind, Bytes payload, const Communicator& c) {
  std::optional<LinkBound> least;
  for (const Algorithm& algorithm : collective_algorithms()) {
    if (algorithm.collective != kind || !algorithm.supports(c, true)) continue;
    const LinkBound bound = bound_of(algorithm, payload, c);
    if (!least || bound.time < least->time) least = bound;
  }
  return least.value_or(LinkBound{});
}

std::optional<BeyondLinks> beyond_links(const CollectiveTable& table, const Cluster& cluster) {
  if (table.ranks < 2) return {};
  const Communicator c = nominal_links(cluster, table.ranks, table.nodes);
  for (const CollectiveRow& row : table.rows) {
    const LinkBound bound = least_time(table.collective, row.size, c);
    if (row.time() < rounding * bound.time) return BeyondLinks{row.line, problem_of(row, bound)};
  }
  return {};
}

Faults faults_on(const CollectiveTable& table, const Cluster& cluster) {
  Faults faults = faults_of(table);
  if (!faults.impossible.empty()) return faults;
  if (const auto beyond = beyond_links(table, cluster))
    faults.impossible = fmt::format(
        "{}{}", beyond->line > 0 ? fmt::format("line {}: ", beyond->line) : "", beyond->problem);
  return faults;
}

}  // namespace validation
}  // namespace tofn
