#include "sim/collectives/algorithms/two_level_exchange.hpp"

#include <algorithm>

#include "sim/cluster/requested_collectives.hpp"

namespace tofn {
inline namespace collectives {
namespace {

using namespace literals;

/// Bandwidth of kernels that route tokens one by one, as a share of the bandwidth of collectives on
/// the same links. Source: DeepEP on H800 (its docs/legacy.md; 4096 tokens of 7168, 8 experts of
/// 256, 8-bit dispatch), without the share of its figures that stays on the rank: 153 GB/s x 7/8 of
/// NVLink's 173 at EP 8; 58 GB/s x 3/4 and 51 x 7/8 of InfiniBand's 48.5 at EP 32 and EP 64.
constexpr double scale_up_share = 0.77;
constexpr double network_share = 0.91;
/// Bandwidth of those kernels in a domain on the few multiprocessors that they are given: HybridEP
/// on 16 of B200's (docs/README_Hybrid-EP.md: combine 531 GB/s x 7/8 at 8 ranks), 32 of GB200's
/// (465 GB/s x 31/32 at 32 ranks).
constexpr BytesPerSecond most_in_domain = 460_GBps;

/// Share of the domains that a rank sends to that are below other leaves.
double crossing(const Communicator& c) {
  if (c.leaves <= 1) return 0;
  const int leaf_ranks = c.ranks_per_domain * c.spine.domains_per_leaf;
  return static_cast<double>(c.ranks - leaf_ranks) / (c.ranks - c.ranks_per_domain);
}

Communicator slowed(Communicator c) {
  c.scale_up.bandwidth = std::min(scale_up_share * c.scale_up.bandwidth, most_in_domain);
  c.network.bandwidth *= network_share;
  return c;
}

Seconds hops(const Communicator& c) {
  Seconds time = c.scale_up.latency;
  if (!c.one_domain()) time += c.network.latency;
  if (c.leaves > 1) time += c.spine.latency;
  return time;
}

}  // namespace

/// Traffic with n domains of r ranks each, if a token meets N domains and R ranks:
///   network  = tokens N (n - 1) / n, since its own domain is one of n alike;
///   scale-up = tokens R (r - 1) / r, since it comes in at the rank of its sender's rail.
LinkTraffic two_level_traffic(Bytes tokens, const TokenRouting& routing, const Communicator& c) {
  const double in_domain = (c.ranks_per_domain - 1.0) / c.ranks_per_domain;
  const double beyond = (c.domains - 1.0) / c.domains;
  return {.scale_up = tokens * (expected_blocks(routing, c.ranks) * in_domain),
          .network = tokens * (expected_blocks(routing, c.domains) * beyond)};
}

Cost two_level_cost(Bytes tokens, const TokenRouting& routing, const Communicator& c) {
  if (c.ranks <= 1 || tokens.base() <= 0) return {};
  if (c.noted != nullptr) c.noted->note(CollectiveKind::AllToAll, c.ranks, {});
  const LinkTraffic moved = two_level_traffic(tokens, routing, c);
  return {hops(c) + transfer_time(moved, slowed(c), crossing(c)) +
              staging_time(moved.scale_up + moved.network, c),
          c.basis};
}

}  // namespace collectives
}  // namespace tofn
