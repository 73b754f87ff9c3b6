#include <algorithm>
#include <cstddef>

#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

bool on_torus(const Communicator& c, bool) { return c.torus.whole.dimensions > 0; }

/// Bandwidth of one link in one direction, for one of the sets that interleave on it. If the ranks
/// are in several domains, a side passes links of both kinds.
BytesPerSecond link(const TorusSide& side, const Communicator& c) {
  BytesPerSecond one = c.scale_up.bandwidth / (2.0 * c.torus.whole.dimensions);
  if (!c.one_domain()) one = std::min(one, c.network.bandwidth / c.torus.whole.links_between);
  return one / side.sharing;
}

Seconds hop(const Communicator& c) {
  return c.one_domain() ? c.scale_up.latency : std::max(c.scale_up.latency, c.network.latency);
}

/// Bandwidth along a side. A ring runs both ways; the chip at the end of a line receives over one
/// link.
BytesPerSecond bandwidth(const TorusSide& side, const Communicator& c) {
  return link(side, c) * (side.closes ? 2 : 1);
}

/// Hops to the farthest chip of the side.
int hops(const TorusSide& side) { return side.closes ? side.length / 2 : side.length - 1; }

/// The sides longer than one chip.
struct Sides {
  std::array<TorusSide, 3> of{};
  std::size_t count = 0;
};
Sides sides_of(const Communicator& c) {
  Sides sides;
  for (const TorusSide& side : c.torus.sides)
    if (side.length > 1) sides.of[sides.count++] = side;
  return sides;
}

/// Time of one scattering pass. The payload is divided into as many parts as there are sides. In
/// each phase every part runs along another side and leaves 1/length of itself for the next, so
/// that all links are busy. Ying et al., "Image classification at supercomputer scale", 2018 (two
/// dimensions); Kumar et al., "Exploring the limits of concurrency in ML training on Google TPUs",
/// MLSys 2021.
Seconds pass_time(Bytes payload, const Communicator& c) {
  const Sides sides = sides_of(c);
  const auto parts = static_cast<double>(sides.count);
  std::array<Bytes, 3> left{payload / parts, payload / parts, payload / parts};
  Seconds sum;
  for (std::size_t phase = 0; phase < sides.count; ++phase) {
    Seconds slowest;
    for (std::size_t part = 0; part < sides.count; ++part) {
      const TorusSide& side = sides.of[(part + phase) % sides.count];
      const Bytes moved = left[part] * ((side.length - 1.0) / side.length);
      slowest = std::max(slowest, hops(side) * hop(c) + moved / bandwidth(side, c));
      left[part] = left[part] / side.length;
    }
    sum += slowest;
  }
  return sum;
}

template <int Passes>
Seconds torus_time(Bytes payload, const Communicator& c, const Ramps&) {
  return Passes * pass_time(payload, c);
}

/// The payload is divided over the sides and pipelined along each in turn, so that it costs its
/// hops once and its bytes once, on the slowest link.
Seconds torus_broadcast_time(Bytes payload, const Communicator& c, const Ramps&) {
  const Sides sides = sides_of(c);
  Seconds latency;
  Seconds bytes;
  for (std::size_t i = 0; i < sides.count; ++i) {
    const TorusSide& side = sides.of[i];
    latency += hops(side) * hop(c);
    bytes = std::max(bytes, payload / static_cast<double>(sides.count) / bandwidth(side, c));
  }
  return latency + bytes;
}

/// Half of the data of one half of a side's chips goes to the other half, over the one link (two in
/// a ring) of each row that joins them; Dally and Towles, "Principles and Practices of
/// Interconnection Networks", 2004, on bisection bandwidth.
Seconds torus_exchange_time(Bytes payload, const Communicator& c, const Ramps&) {
  Seconds latency;
  Seconds bytes;
  for (const TorusSide& side : c.torus.sides) {
    if (side.length == 1) continue;
    latency += hops(side) * hop(c);
    const int half = side.length / 2;  // the other half has the odd chip
    const double across = static_cast<double>(half) * (side.length - half) / side.length;
    bytes = std::max(bytes, payload * across / bandwidth(side, c));
  }
  return latency + bytes;
}

/// Time in which every chip sends to the next of its side, over one link.
Seconds torus_neighbour_time(Bytes payload, const Communicator& c, const Ramps&) {
  const Sides sides = sides_of(c);
  Seconds slowest;
  for (std::size_t i = 0; i < sides.count; ++i)
    slowest = std::max(slowest, hop(c) + payload / link(sides.of[i], c));
  return slowest;
}

constexpr Algorithm row(CollectiveKind kind,
                        Seconds (*torus_time)(Bytes, const Communicator&, const Ramps&),
                        LinkTraffic (*torus_traffic)(Bytes, const Communicator&)) {
  return {"torus", {}, kind, CollectiveLibrary::Xla, on_torus, torus_time, torus_traffic};
}

}  // namespace

const std::array<Algorithm, 6> torus{
    row(CollectiveKind::AllReduce, torus_time<2>, tiered_traffic<2>),
    row(CollectiveKind::ReduceScatter, torus_time<1>, tiered_traffic<1>),
    row(CollectiveKind::AllGather, torus_time<1>, tiered_traffic<1>),
    row(CollectiveKind::Broadcast, torus_broadcast_time, broadcast_traffic),
    row(CollectiveKind::AllToAll, torus_exchange_time, exchange_traffic),
    row(CollectiveKind::SendReceive, torus_neighbour_time, neighbour_traffic)};

}  // namespace collectives
}  // namespace tofn
