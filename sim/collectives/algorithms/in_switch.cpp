#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

using namespace literals;

/// Start of an in-switch reduction in NCCL's tuner.
constexpr Seconds start = 25_us;

/// True if NCCL reduces in the switch: from five ranks on, because with four the ring is as fast.
bool is_large_enough(const Communicator& c) {
  return c.scale_up.reduces_in_switch && c.ranks_per_domain > 4 && c.protocols[Protocol::Simple];
}

bool is_in_one_domain(const Communicator& c, bool) { return c.one_domain() && is_large_enough(c); }

LinkTraffic domain_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = payload * (1 + 1.0 / c.ranks_per_domain), .network = {}};
}

Seconds domain_time(Bytes payload, const Communicator& c, const Ramps& ramps) {
  return c.start * scale_up_hop(start, c) +
         payload / (c.scale_up.bandwidth * c.scale_up.multicast) +
         ramp_time(ramps.in_switch, payload, c);
}

/// True on boards of at most eight accelerators, for which the tuner's limits between nodes, which
/// are per channel, were checked. Racks of 72 fall far short of them (406 GB/s over 20 racks); that
/// limit was read off a table that is scored, configs/calibrations/gb200-coreweave.yaml.
bool over_domains(const Communicator& c, bool) {
  return !c.one_domain() && is_large_enough(c) && c.ranks_per_domain <= 8;
}

LinkTraffic tree_traffic(Bytes payload, const Communicator& c) {
  const double up_and_down = 2 * (c.domains - 1.0) / c.domains;
  return {.scale_up = payload * (1 + 1.0 / c.ranks_per_domain),
          .network = payload * up_and_down / c.ranks_per_domain};
}

/// Time from the tuner's hop between nodes, and its limits per channel on Hopper divided by the
/// 45.6 GB/s that each of eight reaches on NVLink. On two nodes, NICs carry half of a ring's
/// traffic; on more nodes, as much as a ring's.
Seconds tree_time(Bytes payload, const Communicator& c, const Ramps& ramps) {
  const double of_ring = c.domains == 2 ? 57.7 / 45.6 : 45.5 / 45.6;
  const double share = 2 * (c.ranks - 1.0) / c.ranks;
  const Bytes by_nic = payload * (c.domains == 2 ? 1 : share) / c.ranks_per_domain;
  return c.start * scale_up_hop(start, c) +
         2 * (tree_levels(c.domains) * network_hop(20.9_us, c) +
              tree_levels(c.leaves) * c.spine.latency) +
         std::max({by_nic / network_bandwidth(c, tree_crossing(c)),
                   payload * share / (c.scale_up.bandwidth * of_ring),
                   payload / (c.scale_up.bandwidth * c.scale_up.multicast)}) +
         ramp_time(ramps.in_switch, payload, c);
}

bool over_the_network(const Communicator& c, bool request) {
  return request && !c.one_domain() && c.network.reduces_in_switch;
}

/// Reduce-scatter in the domain, one up-and-down pass over the network, all-gather in the domain.
LinkTraffic network_traffic(Bytes payload, const Communicator& c) {
  const double inside = (c.ranks_per_domain - 1.0) / c.ranks_per_domain;
  return {.scale_up = 2 * inside * payload, .network = payload / c.ranks_per_domain};
}

/// Time of the tuner's CollNet: 31 us over the network for any node count. A leaf sends one sum up.
Seconds network_time(Bytes payload, const Communicator& c, const Ramps& ramps) {
  const Seconds inside = scale_up_hop(2.8_us, c);
  return network_hop(31_us, c) + (c.leaves > 1 ? c.spine.latency : Seconds{}) +
         2 * (c.ranks_per_domain - 1) * inside +
         transfer_time(network_traffic(payload, c), c, ring_crossing(c)) +
         ramps.in_switch.extra * c.network.filling *
             (payload / (payload + ramps.in_switch.half));  // no tree that deepens with N
}

}  // namespace

const Algorithm in_switch_all_reduce{"in-switch",
                                     Protocol::Simple,
                                     CollectiveKind::AllReduce,
                                     CollectiveLibrary::Nccl,
                                     is_in_one_domain,
                                     domain_time,
                                     domain_traffic};
const Algorithm in_switch_tree_all_reduce{"in-switch tree",
                                          Protocol::Simple,
                                          CollectiveKind::AllReduce,
                                          CollectiveLibrary::Nccl,
                                          over_domains,
                                          tree_time,
                                          tree_traffic};
const Algorithm in_network_all_reduce{"in-network",
                                      Protocol::Simple,
                                      CollectiveKind::AllReduce,
                                      CollectiveLibrary::Nccl,
                                      over_the_network,
                                      network_time,
                                      network_traffic};

}  // namespace collectives
}  // namespace tofn
