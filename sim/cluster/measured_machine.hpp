#pragma once

#include <optional>
#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/curves/measured_collectives.hpp"

namespace tofn {
inline namespace cluster {

/// Measured collectives and the machine that they were measured on.
struct MeasuredMachine {
  std::string name;  ///< of the calibration
  MeasuredCollectives collectives;
  std::optional<Cluster> on;  ///< another machine than the cluster with this object: a what-if
};

}  // namespace cluster
}  // namespace tofn
