#pragma once

#include <optional>

#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {

/// What draws power beside the accelerators; absent: not known.
struct ClusterPower {
  /// The rest of a node at work: processors, memory, NICs, fans, losses of its power supplies.
  std::optional<Sourced<Watts>> host;
  std::optional<Sourced<Watts>>
      switch_port;  ///< one port of a network switch, with its share of it
  /// What the site draws over what the machine draws (PUE), from 1.
  std::optional<Sourced<double>> facility_factor;
};

}  // namespace tofn
