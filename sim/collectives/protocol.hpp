#pragma once

#include "sim/cluster/communicator.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace collectives {

/// Latencies that NCCL's tuner (2.30, src/graph/tuning.cc) counts for one algorithm and protocol.
struct ProtocolTimes {
  Seconds start;         ///< once per call
  Seconds scale_up_hop;  ///< NVLink
  Seconds network_hop;   ///< InfiniBand
};
ProtocolTimes ring_times(Protocol);
ProtocolTimes tree_times(Protocol);

/// Scales a hop of the tuner to the communicator's fabric. The tuner's hops hold for NVLink and
/// InfiniBand, for which clusters/*.yaml state 1.9 and 5 us; other fabrics differ by what their
/// files state.
Seconds scale_up_hop(Seconds nominal, const Communicator&);
Seconds network_hop(Seconds nominal, const Communicator&);

/// A delay that the tuner leaves out, because pipelines fill and chunks of small payloads are
/// small. It costs `extra` x S / (S + half) on one domain, and that much again with each doubling
/// of the domains.
struct Ramp {
  Seconds extra;
  Bytes half;
};

/// One ramp for each protocol of rings and trees, and one for reduction in switches.
struct Ramps {
  Ramp ll, ll128, simple, in_switch;

  const Ramp& operator[](Protocol protocol) const {
    return protocol == Protocol::LL ? ll : protocol == Protocol::LL128 ? ll128 : simple;
  }
};

/// Fitted to the H100 all-reduce tables of configs/calibrations; a test fits them again.
const Ramps& fitted_ramps();

Seconds ramp_time(const Ramp&, Bytes payload, const Communicator&);

/// Bandwidth per rank of a ring that runs through both tiers at once. `crossing` is the share of
/// the traffic of the busiest leaf's NICs that leaves the leaf.
BytesPerSecond bus_bandwidth(const Communicator&, double crossing);
/// Bandwidth per rank of NCCL's double tree. Each of two domains is the root of one of the two
/// trees, so half of the payload goes up and half comes down: the links between them carry half of
/// a ring's traffic. With more domains the tuner counts the network once, as for rings.
BytesPerSecond tree_bandwidth(const Communicator&, double crossing);
/// Bandwidth that the LL protocol reaches on a ring or a tree.
BytesPerSecond ll_bandwidth(BytesPerSecond bus, const Communicator&);

}  // namespace collectives
}  // namespace tofn
