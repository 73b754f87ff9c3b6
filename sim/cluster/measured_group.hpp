#pragma once

#include <array>
#include <memory>
#include <optional>

#include "sim/cluster/communicator.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/curves/cost_curve.hpp"

namespace tofn {
inline namespace cluster {

/// Measurements of one communicator's collectives.
struct MeasuredGroup {
  struct Measured {
    CostCurve curve;
    std::optional<Communicator>
        on{};  ///< set if measured on another communicator; the ratio to the formulas carries over
    std::optional<CollectiveKind> of{};  ///< set if measured for another collective; likewise
  };
  std::array<std::optional<Measured>, collective_kinds.size()> collectives;

  const Measured* find(CollectiveKind kind) const {
    const auto& found = collectives[static_cast<std::size_t>(kind)];
    return found ? &*found : nullptr;
  }
};

/// Measurements for the first `ranks` ranks of a job on a cluster. The ranks fill the part of each
/// node that the job uses, `per_node` accelerators. Null if nothing was measured near them. A
/// measured all-reduce also serves reduce-scatter and all-gather if these were not measured,
/// because a fabric that is slower than the formulas is so in all three (tables of both are then 9
/// and 10 % off in the median; tests/validation/carried_collectives_test.cpp).
std::shared_ptr<const MeasuredGroup> measured_group(const Cluster&, int ranks, int per_node);

}  // namespace cluster
}  // namespace tofn
