#pragma once

#include <array>
#include <memory>
#include <optional>

#include "sim/cluster/communicator.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/curves/cost_curve.hpp"

namespace tofn {
inline namespace cluster {

/// What was measured of one communicator's collectives.
struct MeasuredGroup {
  struct Measured {
    CostCurve curve;
    std::optional<Communicator> on;  ///< of another communicator: the formulas' ratio carries over
  };
  std::array<std::optional<Measured>, collective_kinds.size()> collectives;

  const Measured* find(CollectiveKind kind) const {
    const auto& found = collectives[static_cast<std::size_t>(kind)];
    return found ? &*found : nullptr;
  }
};

/// Of the first `ranks` ranks of a cluster with measurements, which fill its nodes; null where
/// nothing was measured near them.
std::shared_ptr<const MeasuredGroup> measured_group(const Cluster&, int ranks);

}  // namespace cluster
}  // namespace tofn
