#include "sim/collectives/in_switch.hpp"

namespace tofn {
namespace {

/// NCCL's efficiency of multicast on NVSwitch (Hopper), src/graph/tuning.cc of NVIDIA/nccl 2.30.
/// With a ring bandwidth of 369 GB/s it gives 280 GB/s; nvidia's 1x8 H100 log shows 274 at 16 GiB.
constexpr double multicast_efficiency = 0.85;
/// Start of an in-switch all-reduce relative to one ring hop of 1.9 us: the 1x8 H100 log of
/// NVIDIA/dgxc-benchmarking reads 13 us at 8 B.
constexpr double start_hops = 7;
/// Latency of an in-network reduction: up and down the switch tree, whatever the node count.
/// NCCL's CollNet constants (31 us) over its network hop (5 us).
constexpr double network_start_hops = 6;

bool in_one_domain(const Communicator& c, bool) {
  return c.one_domain() && c.scale_up.reduces_in_switch && c.ranks_per_domain >= 4;
}

LinkTraffic domain_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = payload * (1 + 1.0 / c.ranks), .network = {}};
}

/// What a rank adds to the payload: 1/n in principle. Held at that of 8 ranks, where the efficiency
/// was measured, so that a larger domain does not look faster.
constexpr double measured_share = 1.0 / 8;

Seconds domain_time(Bytes payload, const Communicator& c) {
  return start_hops * c.scale_up.latency +
         payload * (1 + measured_share) / (c.scale_up.bandwidth * multicast_efficiency);
}

bool over_the_network(const Communicator& c, bool asked) {
  return asked && !c.one_domain() && c.network.reduces_in_switch;
}

/// Reduce-scatter in the domain, one up-and-down pass over the network, all-gather in the domain.
LinkTraffic network_traffic(Bytes payload, const Communicator& c) {
  const double inside = (c.ranks_per_domain - 1.0) / c.ranks_per_domain;
  return {.scale_up = 2 * inside * payload, .network = payload / c.ranks_per_domain};
}

Seconds network_time(Bytes payload, const Communicator& c) {
  return network_start_hops * c.network.latency +
         2 * (c.ranks_per_domain - 1) * c.scale_up.latency +
         transfer_time(network_traffic(payload, c), c);
}

}  // namespace

const Algorithm in_switch_all_reduce{"in-switch", CollectiveKind::AllReduce, in_one_domain,
                                     domain_time, domain_traffic};
const Algorithm in_network_all_reduce{"in-network", CollectiveKind::AllReduce, over_the_network,
                                      network_time, network_traffic};

}  // namespace tofn
