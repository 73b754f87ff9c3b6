#pragma once

#include <optional>

#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace cluster {

/// Power of a cluster's parts; a figure is absent if unknown.
struct ClusterPower {
  std::optional<Sourced<Watts>> node_maximum;  ///< of a whole node, stated by its maker
  /// Rest of a node at work: processors, memory, NICs, losses of its power supplies.
  std::optional<Sourced<Watts>> host;
  /// Power of a node's fans as a share of the power that they cool; 0 with liquid cooling.
  std::optional<Sourced<double>> fans;
  /// One port of a network switch, with its share of the switch.
  std::optional<Sourced<Watts>> switch_port;
  /// Power of the site over that of the machine (PUE), at least 1.
  std::optional<Sourced<double>> facility_factor;
};

}  // namespace cluster
}  // namespace tofn
