#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/collectives/algorithms/algorithms.hpp"

namespace tofn {
inline namespace collectives {
namespace {

// Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in MPICH",
// IJHPCA 2005. Round j exchanges with the rank 2^j away. An all-reduce begins to halve with the
// nearest partner, so that little is left for the farthest. A reduce-scatter must end with the
// parts in order, so it begins with the farthest partner and sends half of the payload over the
// network. One exchange costs the fabric's latency and its bytes; the additions are not counted.

bool always(const Communicator&, bool) { return true; }

unsigned unsigned_of(int count) { return static_cast<unsigned>(count); }

/// Ranks that take part in the rounds. If their number is no power of two, the others first fold
/// their data into a neighbour, and at the end receive the result from it.
int taking_part(const Communicator& c) {
  return static_cast<int>(std::bit_floor(unsigned_of(c.ranks)));
}
int rounds(const Communicator& c) { return std::countr_zero(unsigned_of(taking_part(c))); }
bool folds(const Communicator& c) { return taking_part(c) != c.ranks; }

/// Number of first rounds in which no pair crosses a domain, because aligned blocks of 2^j ranks
/// fill it. Folded domains hold half as many.
int rounds_inside(const Communicator& c) {
  if (c.one_domain()) return rounds(c);
  const int blocks = std::countr_zero(unsigned_of(c.ranks_per_domain));
  return folds(c) && blocks > 0 ? blocks - 1 : blocks;
}

struct Exchange {
  Bytes bytes;
  bool some_inside = true;  ///< a pair is in one domain
  bool some_cross = false;  ///< a pair crosses domains
  double leaving = 0;       ///< share of the traffic of a leaf's NICs that leaves the leaf
};

double ranks_per_leaf(const Communicator& c) {
  return static_cast<double>(c.ranks_per_domain) * c.spine.domains_per_leaf;
}

/// An exchange of pairs 2^distance ranks apart, in aligned blocks of twice that.
Exchange in_pairs(int distance, Bytes bytes, const Communicator& c) {
  if (c.one_domain()) return {bytes};
  const double apart = std::ldexp(1.0, distance);
  const bool some_inside = apart < c.ranks_per_domain;
  const bool all_leave = c.leaves > 1 && 2 * apart > ranks_per_leaf(c);
  return {.bytes = bytes,
          .some_inside = some_inside,
          .some_cross = distance >= rounds_inside(c),
          .leaving = all_leave ? 1.0 : 0.0};
}

/// An exchange in which every rank sends to the rank `apart` ahead, so that some cross each border.
Exchange onwards(int apart, Bytes bytes, const Communicator& c) {
  if (c.one_domain()) return {bytes};
  const bool some_inside = apart < c.ranks_per_domain;
  const double leaving = c.leaves > 1 ? std::min(1.0, apart / ranks_per_leaf(c)) : 0.0;
  return {.bytes = bytes, .some_inside = some_inside, .some_cross = true, .leaving = leaving};
}

/// Time of the slowest pair of the round.
Seconds time_of(const Exchange& each, const Communicator& c) {
  Seconds time;
  if (each.some_inside) time = c.scale_up.latency + each.bytes / c.scale_up.bandwidth;
  if (!each.some_cross) return time;
  const Seconds latency = c.network.latency + (each.leaving > 0 ? c.spine.latency : Seconds{});
  return std::max(time, latency + each.bytes / network_bandwidth(c, each.leaving));
}

// Each of these functions calls f(exchange) for every round of one pass, including the folding.

/// Halves the payload from the nearest partner on: one half, one quarter...
template <class F>
void for_each_halving(Bytes payload, const Communicator& c, F f) {
  for (int j = 0; j < rounds(c); ++j) f(in_pairs(j, payload * std::ldexp(0.5, -j), c));
  if (folds(c)) f(in_pairs(0, payload, c));
}

/// Exchanges half of the payload with the farthest partner, a quarter with the next...
template <class F>
void for_each_scatter(Bytes payload, const Communicator& c, F f) {
  for (int j = 0; j < rounds(c); ++j)
    f(in_pairs(j, payload * (std::ldexp(1.0, j) / taking_part(c)), c));
  if (!folds(c)) return;
  f(in_pairs(0, payload, c));
  f(in_pairs(0, payload / c.ranks, c));
}

/// Ranks whose number is no power of two gather by Bruck's algorithm: all take part, and the last
/// round is short.
template <class F>
void for_each_gather(Bytes payload, const Communicator& c, F f) {
  if (!folds(c)) return for_each_scatter(payload, c, f);
  for (int held = 1; held < c.ranks; held *= 2) {
    const double parts = std::min(held, c.ranks - held);
    f(onwards(held, payload * (parts / c.ranks), c));
  }
}

template <class F>
void for_each(CollectiveKind kind, Bytes payload, const Communicator& c, F f) {
  if (kind == CollectiveKind::ReduceScatter) return for_each_scatter(payload, c, f);
  if (kind == CollectiveKind::AllGather) return for_each_gather(payload, c, f);
  for_each_halving(payload, c, f);
  for_each_halving(payload, c, f);
}

/// Traffic of the busiest ranks: scale-up bytes if a pair of the round is inside a domain, network
/// bytes if one crosses.
template <CollectiveKind K>
LinkTraffic traffic(Bytes payload, const Communicator& c) {
  LinkTraffic moved{};
  for_each(K, payload, c, [&](const Exchange& each) {
    if (each.some_cross) moved.network += each.bytes;
    if (each.some_inside) moved.scale_up += each.bytes;
  });
  return moved;
}

template <CollectiveKind K>
Seconds time(Bytes payload, const Communicator& c, const Ramps&) {
  Seconds sum;
  for_each(K, payload, c, [&](const Exchange& each) { sum += time_of(each, c); });
  return sum;
}

template <CollectiveKind K>
constexpr Algorithm halved{.name = "halving-doubling",
                           .protocol = {},
                           .collective = K,
                           .library = CollectiveLibrary::Mpi,
                           .supports = always,
                           .time = time<K>,
                           .traffic = traffic<K>};

}  // namespace

const std::array<Algorithm, 3> halving_doubling{halved<CollectiveKind::AllReduce>,
                                                halved<CollectiveKind::ReduceScatter>,
                                                halved<CollectiveKind::AllGather>};

}  // namespace collectives
}  // namespace tofn
