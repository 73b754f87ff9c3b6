#include <algorithm>
#include <bit>

#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

// The defaults of Open MPI (4.0, ompi/mca/coll/tuned and coll/base). Ranks pass data on through
// shared memory; their scale-up bandwidth is its rate, including the additions.

bool serves_any(const Communicator&, bool) { return true; }

Bytes in_domain(Bytes bytes, const Communicator& c) {
  return c.ranks_per_domain > 1 ? bytes : Bytes{};
}
Bytes between_domains(Bytes bytes, const Communicator& c) {
  return c.one_domain() ? Bytes{} : bytes;
}

/// Number of domains. If a domain has one rank (as with three ranks in two domains), every rank
/// counts as a domain.
int domains(const Communicator& c) {
  if (c.one_domain()) return 1;
  return c.ranks_per_domain > 1 ? c.domains : c.ranks;
}

int rounds(int members) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(members - 1)));
}

/// Ranks that are 2^j apart swap all their data in round j and add it. Ranks whose number is no
/// power of two take one more round. Thakur, Rabenseifner, Gropp, IJHPCA 2005.
LinkTraffic doubling_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = payload * rounds(c.ranks_per_domain),
          .network = payload * rounds(domains(c))};
}
Seconds doubling_time(Bytes payload, const Communicator& c, const Ramps&) {
  const int inside = rounds(c.ranks_per_domain);
  const int between = rounds(domains(c));
  const Seconds added = payload / c.scale_up.bandwidth;
  Seconds time = inside * (c.scale_up.latency + added);
  if (between == 0) return time;
  return time + rounds(c.leaves) * c.spine.latency +
         between * (c.network.latency + added + payload / network_bandwidth(c, 1));
}

/// A pass has n-1 hops, one of them in each domain over the network. No rank waits for another
/// round's slow hop, so a pass takes the hops of the ring once.
template <int Passes>
LinkTraffic ring_traffic(Bytes payload, const Communicator& c) {
  const Bytes bytes = payload * (Passes * (c.ranks - 1.0) / c.ranks);
  return {.scale_up = in_domain(bytes, c),
          .network = between_domains(bytes / c.ranks_per_domain, c)};
}
template <int Passes>
Seconds ring_time(Bytes payload, const Communicator& c, const Ramps&) {
  const int crossings = c.one_domain() ? 0 : c.domains - 1;
  const Seconds hops = (c.ranks - 1 - crossings) * c.scale_up.latency +
                       crossings * c.network.latency + (c.leaves - 1) * c.spine.latency;
  return Passes * hops + transfer_time(ring_traffic<Passes>(payload, c), c, ring_crossing(c));
}

/// Segments travel down a binary tree, in which inner ranks send each segment twice.
LinkTraffic mpi_broadcast_traffic(Bytes payload, const Communicator& c) {
  const double copies = c.ranks > 2 ? 2 : 1;
  return {.scale_up = in_domain(copies * payload, c),
          .network = between_domains(copies * payload, c)};
}
Seconds mpi_broadcast_time(Bytes payload, const Communicator& c, const Ramps&) {
  return rounds(c.ranks_per_domain) * c.scale_up.latency + rounds(c.domains) * c.network.latency +
         rounds(c.leaves) * c.spine.latency +
         transfer_time(mpi_broadcast_traffic(payload, c), c, 1);
}

constexpr Algorithm mpi_row(std::string_view name, CollectiveKind kind,
                            Seconds (*time)(Bytes, const Communicator&, const Ramps&),
                            LinkTraffic (*traffic)(Bytes, const Communicator&)) {
  return {name, {}, kind, CollectiveLibrary::Mpi, serves_any, time, traffic};
}

constexpr std::string_view doubling = "recursive doubling";
constexpr std::string_view ring = "MPI ring";

}  // namespace

std::string_view open_mpi_all_reduce(Bytes payload) {
  using namespace literals;
  return payload < 10000_B ? doubling : ring;
}

const std::array<Algorithm, 5> open_mpi{
    mpi_row(doubling, CollectiveKind::AllReduce, doubling_time, doubling_traffic),
    mpi_row(ring, CollectiveKind::AllReduce, ring_time<2>, ring_traffic<2>),
    mpi_row(ring, CollectiveKind::ReduceScatter, ring_time<1>, ring_traffic<1>),
    mpi_row(ring, CollectiveKind::AllGather, ring_time<1>, ring_traffic<1>),
    mpi_row("MPI tree", CollectiveKind::Broadcast, mpi_broadcast_time, mpi_broadcast_traffic)};

}  // namespace collectives
}  // namespace tofn
