#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "sim/cluster/communicator.hpp"
#include "sim/collectives/protocol.hpp"
#include "sim/core/answered_collectives.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace collectives {

/// Bytes that one rank must at least move over its links, however fast the machine is.
struct LinkTraffic {
  Bytes scale_up;  ///< per rank and direction, inside the domain
  Bytes network;   ///< per rank and direction, between domains
};

/// Time of a pipelined transfer, which the slower tier bounds. `crossing` is the share of the
/// traffic of the busiest leaf's NICs that leaves the leaf.
inline Seconds transfer_time(const LinkTraffic& moved, const Communicator& c, double crossing) {
  Seconds time;
  if (moved.scale_up.base() > 0) time = moved.scale_up / c.scale_up.bandwidth;
  if (moved.network.base() > 0)
    time = std::max(time, moved.network / network_bandwidth(c, crossing));
  return time;
}

/// One algorithm of one collective, with the constants of the library that has it. `payload` is the
/// size that nccl-tests prints: for all-gather, reduce-scatter and all-to-all the total over all
/// ranks. `time` and `traffic` are called only if `supports` returns true and the communicator has
/// at least two ranks.
struct Algorithm {
  std::string_view name;
  std::optional<Protocol> protocol;  ///< absent if the library does not choose between protocols
  CollectiveKind collective;
  CollectiveLibrary library;
  bool (*supports)(const Communicator&, bool in_network_reduction);
  Seconds (*time)(Bytes payload, const Communicator&, const Ramps&);
  LinkTraffic (*traffic)(Bytes payload, const Communicator&);
};

/// Every collective algorithm with each of its protocols. To add one, write a file beside the
/// others and list its rows in the implementation.
std::span<const Algorithm> collective_algorithms();

/// The algorithm that the communicator's library runs: the fastest that it supports, which NCCL's
/// tuner also looks for, or the one that Open MPI decides on. An all-reduce takes the algorithm
/// that the cluster requests if that supports the ranks. Needs at least two ranks.
const Algorithm& chosen_algorithm(CollectiveKind, Bytes payload, const Communicator&,
                                  bool in_network_reduction, const Ramps& = fitted_ramps());

/// Time to copy a call's data to the host and back; zero if the library does not stage it there.
Seconds staging_time(Bytes payload, const Communicator&);

/// The measured time of a collective if there is one, else the formula of the chosen algorithm. A
/// measurement of other node counts is scaled by the ratio of the formulas. One rank costs nothing.
/// `in_network_reduction`: the run requests reduction in the network's switches.
CollectiveCost collective_cost(CollectiveKind, Bytes payload, const Communicator&,
                               bool in_network_reduction, const Ramps& = fitted_ramps());

}  // namespace collectives
}  // namespace tofn
