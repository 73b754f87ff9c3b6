#pragma once

#include "sim/cluster/communicator.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace collectives {

/// What NCCL's tuner (2.30, src/graph/tuning.cc) counts for one algorithm and protocol.
struct ProtocolTimes {
  Seconds start;         ///< once per call
  Seconds scale_up_hop;  ///< NVLink
  Seconds network_hop;   ///< InfiniBand
};
ProtocolTimes ring_times(Protocol);
ProtocolTimes tree_times(Protocol);

/// The tuner's hops are those of NVLink and InfiniBand, where clusters/*.yaml say 1.9 and 5 us;
/// other fabrics differ by what their files say.
Seconds scale_up_hop(Seconds nominal, const Communicator&);
Seconds network_hop(Seconds nominal, const Communicator&);

/// What the tuner leaves out: pipelines fill, and chunks are small while the payload is. It costs
/// `extra` x S / (S + half) on one domain, and that much again with each doubling of the domains.
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

/// Bandwidth of a ring that runs through both tiers at once, per rank. `crossing`: of what the
/// busiest leaf's NICs send, the share that leaves it.
BytesPerSecond bus_bandwidth(const Communicator&, double crossing);
/// The same of NCCL's double tree. Of two domains each is the root of one of the two trees, so that
/// half of the payload goes up and half comes down: links between them carry half of what a ring's
/// do. Of more domains the tuner counts the network once, as it does for rings.
BytesPerSecond tree_bandwidth(const Communicator&, double crossing);
/// What LL reaches of either.
BytesPerSecond ll_bandwidth(BytesPerSecond bus, const Communicator&);

}  // namespace collectives
}  // namespace tofn
