#include "sim/core/token_routing.hpp"

#include <algorithm>
#include <cmath>

namespace tofn {
namespace {

/// Probability that none of `chosen` experts, drawn without replacement from `all`, is one of
/// `held`: C(all - held, chosen) / C(all, chosen).
double missed_by_all(double all, double held, int chosen) {
  double probability = 1;
  for (int i = 0; i < chosen; ++i)
    probability *= std::max(0.0, all - held - i) / std::max(1.0, all - i);
  return probability;
}

/// Probability that exactly `hit` of `drawn` groups, drawn from `groups`, are among `held`.
double hypergeometric(int groups, int held, int drawn, int hit) {
  const auto choose = [](int n, int k) {
    double ways = 1;
    for (int i = 0; i < k; ++i) ways *= static_cast<double>(n - i) / (i + 1);
    return k < 0 || k > n ? 0 : ways;
  };
  return choose(held, hit) * choose(groups - held, drawn - hit) / choose(groups, drawn);
}

}  // namespace

/// A block of g experts spans j groups, with g / j experts in each. If M of G groups of e experts
/// are chosen, s of them among those j,
///   P(hit) = 1 - sum over s of P(s) C(M e - s g / j, k) / C(M e, k).
/// Example: 256 experts in 8 groups, 4 groups and 8 experts per token, on 8 nodes: 4 nodes are
/// chosen, and each is hit with 1 - C(96, 8) / C(128, 8) = 0.91: 3.63 nodes per token.
double expected_blocks(const TokenRouting& routing, double blocks) {
  const double held = routing.experts / blocks;
  const double in_group = static_cast<double>(routing.experts) / routing.groups;
  const int spanned = std::clamp(static_cast<int>(std::lround(held / in_group)), 1, routing.groups);
  const double allowed = routing.groups_per_token * in_group;
  double missed = 0;
  for (int hit = 0; hit <= std::min(spanned, routing.groups_per_token); ++hit)
    missed += hypergeometric(routing.groups, spanned, routing.groups_per_token, hit) *
              missed_by_all(allowed, hit * held / spanned, routing.experts_per_token);
  return blocks * (1 - missed);
}

}  // namespace tofn
