#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

using namespace literals;

bool everywhere(const Communicator&, bool) { return true; }

/// Start and first hop of a send. NCCL's tuner has no row for sends; they run in the Simple
/// protocol over as many links as those between neighbours of a ring, so they get a ring's values.
Seconds first_hop(const Communicator& c) {
  const ProtocolTimes times = ring_times(Protocol::Simple);
  return c.start * times.start +
         (c.one_domain() ? scale_up_hop(times.scale_up_hop, c) : network_hop(times.network_hop, c));
}

/// Time in which chunks grow and pipelines fill, as in a ring of the same protocol, but over one
/// hop, so that it does not grow with the number of domains.
Seconds filling(Bytes payload, const Communicator& c, const Ramps& ramps) {
  const Ramp& ramp = ramps[Protocol::Simple];
  return ramp.extra * (c.one_domain() ? c.scale_up : c.network).filling *
         (payload / (payload + ramp.half));
}

/// The exchange goes in rounds, one partner after the other, so the tiers' times add up. Every
/// partner beyond the leaf is reached over the spine. A partner on another rail of the same leaf is
/// not, because NCCL first hands its part to the neighbour on that rail (PXN).
Seconds exchange_time(Bytes payload, const Communicator& c) {
  const int outside = c.ranks - c.ranks_per_domain;
  const int leaf_ranks = c.ranks_per_domain * c.spine.domains_per_leaf;
  const int beyond = c.leaves > 1 ? c.ranks - leaf_ranks : 0;
  const LinkTraffic moved = exchange_traffic(payload, c);
  const Seconds rounds = outside * c.network.latency +
                         (c.ranks_per_domain - 1) * c.scale_up.latency + beyond * c.spine.latency;
  Seconds time = rounds;
  if (moved.scale_up.base() > 0) time += moved.scale_up / c.scale_up.bandwidth;
  if (moved.network.base() > 0)
    time += moved.network / network_bandwidth(c, static_cast<double>(beyond) / outside);
  return time;
}

Seconds nearest(const Communicator& c) {
  return c.one_domain() ? c.scale_up.latency : c.network.latency;
}

/// Time of the slowest pair, which is at the border of two domains or of two leaves.
Seconds neighbour_time(Bytes payload, const Communicator& c) {
  return nearest(c) + (c.leaves > 1 ? c.spine.latency : Seconds{}) +
         transfer_time(neighbour_traffic(payload, c), c, ring_crossing(c));
}

using PairsTime = Seconds (*)(Bytes, const Communicator&);

/// Replaces the fabric's hop by NCCL's first hop.
template <PairsTime Time>
Seconds by_nccl(Bytes payload, const Communicator& c, const Ramps& ramps) {
  return Time(payload, c) - nearest(c) + first_hop(c) + filling(payload, c, ramps);
}
template <PairsTime Time>
Seconds by_mpi(Bytes payload, const Communicator& c, const Ramps&) {
  return Time(payload, c);
}

}  // namespace

LinkTraffic exchange_traffic(Bytes payload, const Communicator& c) {
  const double inside = (c.ranks_per_domain - 1.0) / c.ranks;
  const double outside = static_cast<double>(c.ranks - c.ranks_per_domain) / c.ranks;
  return {.scale_up = payload * inside, .network = payload * outside};
}

LinkTraffic neighbour_traffic(Bytes payload, const Communicator& c) {
  return {.scale_up = c.ranks_per_domain > 1 ? payload : Bytes{},
          .network = c.one_domain() ? Bytes{} : payload};
}

const Algorithm pairwise_all_to_all{
    "pairwise", Protocol::Simple,       CollectiveKind::AllToAll, CollectiveLibrary::Nccl,
    everywhere, by_nccl<exchange_time>, exchange_traffic};
const Algorithm pairwise_send_receive{"pairwise",
                                      Protocol::Simple,
                                      CollectiveKind::SendReceive,
                                      CollectiveLibrary::Nccl,
                                      everywhere,
                                      by_nccl<neighbour_time>,
                                      neighbour_traffic};
const std::array<Algorithm, 2> mpi_pairwise{Algorithm{"MPI pairwise",
                                                      {},
                                                      CollectiveKind::AllToAll,
                                                      CollectiveLibrary::Mpi,
                                                      everywhere,
                                                      by_mpi<exchange_time>,
                                                      exchange_traffic},
                                            Algorithm{"MPI pairwise",
                                                      {},
                                                      CollectiveKind::SendReceive,
                                                      CollectiveLibrary::Mpi,
                                                      everywhere,
                                                      by_mpi<neighbour_time>,
                                                      neighbour_traffic}};

}  // namespace collectives
}  // namespace tofn
