#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "sim/cluster/communicator.hpp"
#include "sim/collectives/protocol.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/core/cost.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace collectives {

/// Bytes that one rank must at least move over its links, whatever the machine's speed.
struct LinkTraffic {
  Bytes scale_up;  ///< per rank and direction, inside the domain
  Bytes network;   ///< per rank and direction, between domains
};

/// The slower tier bounds a pipelined transfer. `crossing`: of what the busiest leaf's NICs send,
/// the share that leaves it.
inline Seconds transfer_time(const LinkTraffic& moved, const Communicator& c, double crossing) {
  Seconds time;
  if (moved.scale_up.base() > 0) time = moved.scale_up / c.scale_up.bandwidth;
  if (moved.network.base() > 0)
    time = std::max(time, moved.network / network_bandwidth(c, crossing));
  return time;
}

/// One way of running one collective, with the constants of the library that has it. `payload` is
/// nccl-tests' size: for all-gather, reduce-scatter and all-to-all the total over all ranks. `time`
/// and `traffic` are only called where `supports` agrees and the communicator has at least two
/// ranks.
struct Algorithm {
  std::string_view name;
  std::optional<Protocol> protocol;  ///< of libraries that choose between them
  CollectiveKind collective;
  CollectiveLibrary library;
  bool (*supports)(const Communicator&, bool in_network_reduction);
  Seconds (*time)(Bytes payload, const Communicator&, const Ramps&);
  LinkTraffic (*traffic)(Bytes payload, const Communicator&);
};

/// Every collective algorithm with each of its protocols. Add one here: rows, and a file beside the
/// others.
std::span<const Algorithm> collective_algorithms();

/// The fastest supported algorithm of the communicator's library, which is what NCCL's tuner looks
/// for too, or what Open MPI decides on; of all-reduces the one that the cluster asks for, where it
/// supports the ranks. Asks for two ranks.
const Algorithm& chosen_algorithm(CollectiveKind, Bytes payload, const Communicator&,
                                  bool in_network_reduction, const Ramps& = fitted_ramps());

/// What a call takes to bring its data to the host and back, where the library asks for that.
Seconds staging_time(Bytes payload, const Communicator&);

/// What was measured of the communicator, else what the chosen algorithm takes by formula; between
/// the two, a measurement of other node counts times the formulas' ratio. One rank costs nothing.
/// `in_network_reduction`: the run asks for reduction in the network's switches.
Cost collective_cost(CollectiveKind, Bytes payload, const Communicator&, bool in_network_reduction,
                     const Ramps& = fitted_ramps());

}  // namespace collectives
}  // namespace tofn
