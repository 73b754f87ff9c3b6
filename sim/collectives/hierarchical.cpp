#include "sim/collectives/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

/// Every rank has its rail.
bool on_even_domains(const Communicator& c, bool) {
  return c.ranks == c.ranks_per_domain * c.domains;
}

/// A pass inside leaves each rank with 1/k of the domain's, which its rail takes on: every NIC
/// carries as little as a ring's. Bayatpour et al., "Scalable reduction collectives with data
/// partitioning-based multi-leader design", SC 2017.
template <int Passes>
LinkTraffic traffic(Bytes payload, const Communicator& c) {
  const double all = (c.ranks - 1.0) / c.ranks;
  const double inside = (c.ranks_per_domain - 1.0) / c.ranks_per_domain;
  return {.scale_up = payload * (Passes * inside), .network = payload * (Passes * (all - inside))};
}

/// Rings of NCCL's Simple protocol on both tiers, one after the other; the two passes inside an
/// all-reduce share their start.
template <int Passes>
Seconds time(Bytes payload, const Communicator& c, const Ramps& ramps) {
  Seconds sum;
  if (c.ranks_per_domain > 1)
    sum += ring_time(Protocol::Simple, Passes, payload, inside_domain(c), ramps);
  if (!c.one_domain())
    sum += ring_time(Protocol::Simple, Passes, payload / c.ranks_per_domain, between_domains(c),
                     ramps);
  return sum;
}

template <int Passes>
constexpr Algorithm in_levels(CollectiveKind kind) {
  return {"hierarchical",  {},           kind,           CollectiveLibrary::Mpi,
          on_even_domains, time<Passes>, traffic<Passes>};
}

}  // namespace

const std::array<Algorithm, 3> hierarchical{in_levels<2>(CollectiveKind::AllReduce),
                                            in_levels<1>(CollectiveKind::ReduceScatter),
                                            in_levels<1>(CollectiveKind::AllGather)};

}  // namespace collectives
}  // namespace tofn
