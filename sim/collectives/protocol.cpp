#include "sim/collectives/protocol.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tofn {
inline namespace collectives {

using namespace literals;

namespace {

/// Rows are indexed by protocol: LL, LL128, Simple.
constexpr std::array<ProtocolTimes, protocol_names.size()> ring_protocols{{
    {.start = 6.6_us, .scale_up_hop = 0.6_us, .network_hop = 2.7_us},
    {.start = 14_us, .scale_up_hop = 1.9_us, .network_hop = 4_us},
    {.start = 8.4_us, .scale_up_hop = 3.4_us, .network_hop = 14_us},
}};
constexpr std::array<ProtocolTimes, protocol_names.size()> tree_protocols{{
    {.start = 6.8_us, .scale_up_hop = 0.6_us, .network_hop = 5_us},
    {.start = 14_us, .scale_up_hop = 1.25_us, .network_hop = 8.5_us},
    {.start = 8.4_us, .scale_up_hop = 4_us, .network_hop = 14_us},
}};

}  // namespace

ProtocolTimes ring_times(Protocol protocol) {
  return ring_protocols[static_cast<std::size_t>(protocol)];
}
ProtocolTimes tree_times(Protocol protocol) {
  return tree_protocols[static_cast<std::size_t>(protocol)];
}

Seconds scale_up_hop(Seconds nominal, const Communicator& c) {
  return nominal * (c.scale_up.latency / 1.9_us);
}

Seconds network_hop(Seconds nominal, const Communicator& c) {
  // Below 5 us the hop shrinks with the latency; above, it grows by the difference.
  return c.network.latency < 5_us ? nominal * (c.network.latency / 5_us)
                                  : nominal + (c.network.latency - 5_us);
}

const Ramps& fitted_ramps() {
  static const Ramps ramps{.ll = {.extra = 2.5_us, .half = 1700_B},
                           .ll128 = {.extra = 31_us, .half = 3.5_MB},
                           .simple = {.extra = 14_us, .half = 7_MB},
                           .in_switch = {.extra = 75_us, .half = 19_MB}};
  return ramps;
}

Seconds ramp_time(const Ramp& ramp, Bytes payload, const Communicator& c) {
  return ramp.extra * (c.scale_up.filling + std::log2(c.domains) * c.network.filling) *
         (payload / (payload + ramp.half));
}

namespace {

/// Bandwidth of the slower tier if each link between domains carries `share` of a ring's traffic.
BytesPerSecond slower_tier(const Communicator& c, double crossing, double share) {
  if (c.one_domain()) return c.scale_up.bandwidth;
  const BytesPerSecond network = network_bandwidth(c, crossing) * (c.ranks_per_domain / share);
  return c.ranks_per_domain > 1 ? std::min(c.scale_up.bandwidth, network) : network;
}

}  // namespace

BytesPerSecond bus_bandwidth(const Communicator& c, double crossing) {
  return slower_tier(c, crossing, 1);
}

BytesPerSecond tree_bandwidth(const Communicator& c, double crossing) {
  const bool is_even_pair = c.domains == 2 && c.ranks == 2 * c.ranks_per_domain;
  return slower_tier(c, crossing, is_even_pair ? 0.5 : 1);
}

BytesPerSecond ll_bandwidth(BytesPerSecond bus, const Communicator& c) {
  // LL reaches 141 GB/s of 360 on H100, and 87.7 of 235 on A100. Between nodes it is at most what
  // an Intel host polls, on two nodes or on more.
  const BytesPerSecond share = 0.39 * bus;
  if (c.one_domain()) return share;
  return std::min(share, c.domains == 2 ? 39_GBps : 20.4_GBps);
}

}  // namespace collectives
}  // namespace tofn
