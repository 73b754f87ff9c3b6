#include <algorithm>
#include <array>
#include <cmath>

#include "sim/measurements/stated_placement.hpp"
#include "sim/validation/judge.hpp"

namespace tofn {
inline namespace validation {
namespace {

constexpr double small_bytes = 4096;  // what one packet or two carry: all of it is latency
constexpr double large_bytes = 64e6;  // where a plateau of bandwidth may be read off

bool is_between_nodes(const Evidence& e) {
  return e.rows.front().scored.nodes > 1 && e.cluster.network &&
         e.rows.front().scored.ranks > e.cluster.scale_up.domain_accelerators.value;
}

/// Bus bandwidth of the largest size, B/s.
double plateau(const Evidence& e) {
  const ScoredRow& row = e.rows.back().scored;
  return (row.size / row.measured).base() * bus_factor_of(row.collective, row.ranks);
}

bool is_slow_to_the_end(const Evidence& e) {
  return e.band.last + 1 == e.rows.size() && e.rows.back().scored.size.base() >= large_bytes;
}

/// Large collectives reach 70 % or more of what a node's NICs have nominally (clusters/*.yaml). Of
/// a payload S trees move 2(d-1)/d S in and out of each of d domains, bus bandwidth counts 2(n-1)/n
/// S.
bool levels_at_nics(const Evidence& e, double nics) {
  if (!is_between_nodes(e) || !is_slow_to_the_end(e)) return false;
  const double n = e.rows.front().scored.ranks;
  const double d = n / std::min<double>(n, e.cluster.scale_up.domain_accelerators.value);
  const double most = e.rows.front().scored.collective == CollectiveKind::AllReduce
                          ? (1 - 1 / n) / (1 - 1 / std::max(2.0, d))
                          : 1;
  const double wire = nics * e.cluster.network->nic_bandwidth.value.base();
  return plateau(e) >= 0.7 * wire && plateau(e) <= most * wire;
}

bool one_nic(const Evidence& e) {
  return is_between_nodes(e) && e.cluster.network->nics_per_node.value > 2 && levels_at_nics(e, 1);
}

bool half_the_nics(const Evidence& e) {
  return is_between_nodes(e) && levels_at_nics(e, e.cluster.network->nics_per_node.value / 2.0);
}

/// At PCIe's bandwidth, or a third of it where each transfer passes through host memory.
bool pcie(const Evidence& e) {
  const double link = e.cluster.accelerator.host_link.value.base();
  return !is_between_nodes(e) && is_slow_to_the_end(e) &&
         e.cluster.scale_up.bandwidth.value.base() > 3 * link && plateau(e) >= 0.3 * link &&
         plateau(e) <= link;
}

/// The least of measured - predicted over small messages, s; 0 without any.
double least_small_excess(const Evidence& e) {
  double least = 0;
  for (const JudgedRow& row : e.rows) {
    if (row.scored.size.base() > small_bytes) break;
    const double excess = (row.scored.measured - row.scored.predicted).base();
    least = &row == e.rows.data() ? excess : std::min(least, excess);
  }
  return least;
}

/// EFA costs 22 us a hop more than InfiniBand, TCPXO 50 (clusters/*.yaml), kernel sockets as much;
/// both directions of each level pay it.
bool slow_transport(const Evidence& e) {
  constexpr double per_hop = 15e-6;
  if (!is_between_nodes(e)) return false;
  return least_small_excess(e) >= per_hop * 2 * std::log2(e.rows.front().scored.nodes);
}

/// All small messages take the same time: they wait for the host, whatever the fabric does.
bool launch(const Evidence& e) {
  constexpr double alike = 1.25;
  constexpr double launch_overhead = 5e-6;
  double least = 0;
  double most = 0;
  for (std::size_t i = e.band.first; i <= e.band.last; ++i) {
    const double time = e.rows[i].scored.measured.base();
    if (e.rows[i].scored.size.base() > small_bytes) break;
    least = i == e.band.first ? time : std::min(least, time);
    most = std::max(most, time);
  }
  return least > 0 && e.band.first == 0 && !is_slow_to_the_end(e) && most <= alike * least &&
         least_small_excess(e) >= launch_overhead;
}

/// A wider band than this is more than a switch at the wrong size.
bool band_of_sizes(const Evidence& e) {
  constexpr double widest = 1024;
  return e.band.first > 0 && e.band.last + 1 < e.rows.size() &&
         e.rows[e.band.last].scored.size <= widest * e.rows[e.band.first].scored.size;
}

template <LinkEffect... Effects>
bool part_of_links(const Evidence& e) {
  return e.part && ((e.part->effect == Effects) || ...);
}

}  // namespace

std::span<const SlownessCause> causes() {
  static constexpr std::array table{
      SlownessCause{
          "one NIC", one_nic,
          "bus bandwidth levels off at what one NIC of a node carries: the other NICs are not "
          "used"},
      SlownessCause{
          "half the NICs", half_the_nics,
          "bus bandwidth levels off at what half the NICs of a node carry: NICs are missing, or "
          "run at half their speed"},
      SlownessCause{
          "PCIe", pcie,
          "bus bandwidth levels off at PCIe's: the scale-up links are not used (peer-to-peer "
          "off, or the fabric manager down)"},
      SlownessCause{
          "transport", slow_transport,
          "small messages pay 15 us and more for each hop between nodes: a slower transport than "
          "the cluster's is used (kernel sockets, not RDMA: is RDMA off, or the plugin of the "
          "fabric "
          "missing, such as aws-ofi-nccl of EFA and of Slingshot's CXI?)"},
      SlownessCause{
          "launch", launch,
          "small messages all take the same longer time: calls wait for the host (no CUDA graph, "
          "slow launches)"},
      SlownessCause{"band of sizes", band_of_sizes,
                    "smaller and larger messages are normal: most likely the algorithm or protocol "
                    "switches at the "
                    "wrong size"},
      SlownessCause{"network bandwidth", part_of_links<LinkEffect::NetworkBandwidth>,
                    "bytes between nodes take longer, small messages do not: less bandwidth than "
                    "the NICs have (a congested or degraded fabric, no GPUDirect RDMA)"},
      SlownessCause{"network latency", part_of_links<LinkEffect::NetworkLatency>,
                    "hops between nodes take longer, large messages do not"},
      SlownessCause{"scale-up bandwidth", part_of_links<LinkEffect::ScaleUpBandwidth>,
                    "bytes inside the scale-up domain take longer, small messages do not: links of "
                    "it are down, or the algorithm is another one"},
      SlownessCause{"filling",
                    part_of_links<LinkEffect::ScaleUpFilling, LinkEffect::NetworkFilling>,
                    "messages of middle size take longer, the smallest and largest do not: another "
                    "algorithm or protocol, or fewer channels"},
  };
  return table;
}

const SlownessCause* likely_cause(const Evidence& evidence) {
  for (const SlownessCause& cause : causes())
    if (cause.shows(evidence)) return &cause;
  return nullptr;
}

}  // namespace validation
}  // namespace tofn
