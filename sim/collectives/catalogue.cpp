#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "sim/collectives/algorithm.hpp"
#include "sim/collectives/in_switch.hpp"
#include "sim/collectives/pairwise.hpp"
#include "sim/collectives/ring.hpp"
#include "sim/collectives/tree.hpp"

namespace tofn {

std::span<const Algorithm> collective_algorithms() {
  static const auto algorithms = [] {
    std::array others{in_switch_all_reduce, in_switch_tree_all_reduce, in_network_all_reduce,
                      pairwise_all_to_all, pairwise_send_receive};
    std::array<Algorithm, rings.size() + trees.size() + others.size()> all{};
    auto next = std::copy(rings.begin(), rings.end(), all.begin());
    next = std::copy(trees.begin(), trees.end(), next);
    std::copy(others.begin(), others.end(), next);
    return all;
  }();
  return algorithms;
}

namespace {

struct Choice {
  const Algorithm* algorithm = nullptr;
  Seconds time{std::numeric_limits<double>::infinity()};
};

Choice choose(CollectiveKind kind, Bytes payload, const Communicator& c, bool in_network_reduction,
              const Ramps& ramps) {
  Choice best;
  for (const Algorithm& algorithm : collective_algorithms()) {
    if (algorithm.collective != kind || !algorithm.supports(c, in_network_reduction)) continue;
    const Seconds time = algorithm.time(payload, c, ramps);
    if (time < best.time) best = {&algorithm, time};
  }
  assert(best.algorithm != nullptr);
  return best;
}

}  // namespace

const Algorithm& chosen_algorithm(CollectiveKind kind, Bytes payload, const Communicator& c,
                                  bool in_network_reduction, const Ramps& ramps) {
  assert(c.ranks > 1);
  return *choose(kind, payload, c, in_network_reduction, ramps).algorithm;
}

Cost collective_cost(CollectiveKind kind, Bytes payload, const Communicator& communicator,
                     bool in_network_reduction, const Ramps& ramps) {
  if (communicator.ranks <= 1 || payload.base() <= 0) return {};
  return {choose(kind, payload, communicator, in_network_reduction, ramps).time,
          communicator.basis};
}

}  // namespace tofn
