#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

/// True if all domains have the same number of ranks, so that every rank has its rail.
bool on_even_domains(const Communicator& c, bool) {
  return c.ranks == c.ranks_per_domain * c.domains;
}

/// Time of rings of NCCL's Simple protocol on both tiers, one after the other. The two passes
/// inside an all-reduce share their start.
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
  return {"hierarchical",        {}, kind, CollectiveLibrary::Mpi, on_even_domains, time<Passes>,
          tiered_traffic<Passes>};
}

}  // namespace

const std::array<Algorithm, 3> hierarchical{in_levels<2>(CollectiveKind::AllReduce),
                                            in_levels<1>(CollectiveKind::ReduceScatter),
                                            in_levels<1>(CollectiveKind::AllGather)};

}  // namespace collectives
}  // namespace tofn
