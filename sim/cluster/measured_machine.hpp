#pragma once

#include <optional>
#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/curves/measured_collectives.hpp"

namespace tofn {
inline namespace cluster {

/// Measured collectives and the machine they are of.
struct MeasuredMachine {
  std::string name;  ///< of the calibration
  MeasuredCollectives collectives;
  std::optional<Cluster> on;  ///< another one than the cluster that holds this: a what-if
};

}  // namespace cluster
}  // namespace tofn
