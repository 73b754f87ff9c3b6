#pragma once

#include <optional>

#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace cluster {

/// What draws power; absent: not known.
struct ClusterPower {
  std::optional<Sourced<Watts>> node_maximum;  ///< of a whole node, as its maker states it
  /// The rest of a node at work: processors, memory, NICs, losses of its power supplies.
  std::optional<Sourced<Watts>> host;
  /// What a node's fans draw over what they cool: 0 where a liquid carries the heat away.
  std::optional<Sourced<double>> fans;
  /// One port of a network switch, with its share of it.
  std::optional<Sourced<Watts>> switch_port;
  /// What the site draws over what the machine draws (PUE), from 1.
  std::optional<Sourced<double>> facility_factor;
};

}  // namespace cluster
}  // namespace tofn
