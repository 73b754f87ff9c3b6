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
  static const std::array algorithms{
      ring_all_reduce,      ring_reduce_scatter,   ring_all_gather,     tree_all_reduce,
      in_switch_all_reduce, in_network_all_reduce, pairwise_all_to_all, pairwise_send_receive,
  };
  return algorithms;
}

Cost collective_cost(CollectiveKind kind, Bytes payload, const Communicator& communicator,
                     bool in_network_reduction) {
  if (communicator.ranks <= 1 || payload.base() <= 0) return {};
  Seconds best{std::numeric_limits<double>::infinity()};
  for (const Algorithm& algorithm : collective_algorithms())
    if (algorithm.collective == kind && algorithm.supports(communicator, in_network_reduction))
      best = std::min(best, algorithm.time(payload, communicator));
  assert(best.base() < std::numeric_limits<double>::infinity());
  return {best, communicator.basis};
}

}  // namespace tofn
