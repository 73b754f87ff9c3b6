#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

using namespace literals;

template <Protocol P>
bool is_allowed(const Communicator& c, bool) {
  return c.protocols[P];
}

/// Traffic of one pass of a pipelined ring: n-1 hops, of which one in each domain crosses the
/// network; every rank forwards (n-1)/n of the payload. With k ranks per domain, the k rings of the
/// domain cross on k NICs, each with 1/k of the payload. Patarasuk & Yuan, "Bandwidth optimal
/// all-reduce algorithms", JPDC 2009.
LinkTraffic pass_traffic(Bytes payload, const Communicator& c) {
  const double share = (c.ranks - 1.0) / c.ranks;
  return {.scale_up = c.ranks_per_domain > 1 ? payload * share : Bytes{},
          .network = c.one_domain() ? Bytes{} : payload * share / c.ranks_per_domain};
}

LinkTraffic both_passes_traffic(Bytes payload, const Communicator& c) {
  const LinkTraffic once = pass_traffic(payload, c);
  return {.scale_up = 2 * once.scale_up, .network = 2 * once.network};
}

BytesPerSecond bandwidth(Protocol protocol, const Communicator& c) {
  const double crossing = ring_crossing(c);
  const BytesPerSecond bus = bus_bandwidth(c, crossing);
  if (protocol == Protocol::LL) return ll_bandwidth(bus, c);
  return protocol == Protocol::LL128 ? 0.92 * bus : bus;
}

/// Time of the hops of `passes` passes. Between nodes the proxy thread must also post each
/// transfer, which bounds the hops inside: 1 us on Intel hosts, three times that for Simple.
Seconds hops(Protocol protocol, const Communicator& c, int passes) {
  const ProtocolTimes times = ring_times(protocol);
  const int crossings = c.one_domain() ? 0 : c.domains - 1;
  const Seconds post = crossings == 0 ? Seconds{} : protocol == Protocol::Simple ? 3_us : 1_us;
  const Seconds inside = std::max(scale_up_hop(times.scale_up_hop, c), post);
  // With one rank per node the tuner takes the tree's network latency.
  const Seconds between = network_hop(
      c.ranks_per_domain == 1 ? tree_times(protocol).network_hop : times.network_hop, c);
  return passes * ((c.ranks - 1 - crossings) * inside + crossings * between +
                   (c.leaves - 1) * c.spine.latency);
}

template <Protocol P, int Passes>
Seconds time(Bytes payload, const Communicator& c, const Ramps& ramps) {
  return ring_time(P, Passes, payload, c, ramps);
}

template <Protocol P>
Seconds broadcast_time(Bytes payload, const Communicator& c, const Ramps& ramps) {
  return c.start * ring_times(P).start + hops(P, c, 1) + payload / bandwidth(P, c) +
         ramp_time(ramps[P], payload, c);
}

template <Protocol P>
constexpr std::array<Algorithm, 4> with_protocol{{
    {"ring", P, CollectiveKind::AllReduce, CollectiveLibrary::Nccl, is_allowed<P>, time<P, 2>,
     both_passes_traffic},
    {"ring", P, CollectiveKind::ReduceScatter, CollectiveLibrary::Nccl, is_allowed<P>, time<P, 1>,
     pass_traffic},
    {"ring", P, CollectiveKind::AllGather, CollectiveLibrary::Nccl, is_allowed<P>, time<P, 1>,
     pass_traffic},
    {"ring", P, CollectiveKind::Broadcast, CollectiveLibrary::Nccl, is_allowed<P>,
     broadcast_time<P>, broadcast_traffic},
}};

std::array<Algorithm, 12> all() {
  std::array<Algorithm, 12> table{};
  auto next = table.begin();
  for (const auto& rows : {with_protocol<Protocol::LL>, with_protocol<Protocol::LL128>,
                           with_protocol<Protocol::Simple>})
    next = std::copy(rows.begin(), rows.end(), next);
  return table;
}

}  // namespace

LinkTraffic broadcast_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = c.ranks_per_domain > 1 ? payload : Bytes{},
          .network = c.one_domain() ? Bytes{} : payload / c.ranks_per_domain};
}

Seconds ring_time(Protocol protocol, int passes, Bytes payload, const Communicator& c,
                  const Ramps& ramps) {
  const double share = passes * (c.ranks - 1.0) / c.ranks;
  return c.start * ring_times(protocol).start + hops(protocol, c, passes) +
         payload * share / bandwidth(protocol, c) + ramp_time(ramps[protocol], payload, c);
}

const std::array<Algorithm, 12> rings = all();

}  // namespace collectives
}  // namespace tofn
