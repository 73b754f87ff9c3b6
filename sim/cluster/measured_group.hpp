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
    std::optional<Communicator>
        on{};  ///< of another communicator: the formulas' ratio carries over
    std::optional<CollectiveKind> of{};  ///< of another collective: likewise
  };
  std::array<std::optional<Measured>, collective_kinds.size()> collectives;

  const Measured* find(CollectiveKind kind) const {
    const auto& found = collectives[static_cast<std::size_t>(kind)];
    return found ? &*found : nullptr;
  }
};

/// Of the first `ranks` ranks of a job on a cluster with measurements. They fill what it uses of
/// each node, `per_node` accelerators. Null where nothing was measured near them. A measured
/// all-reduce answers for reduce-scatter and all-gather that were not: what a fabric is slower by
/// than formulas say it is in all three (carried over so, tables of both are 9 and 10 % off in the
/// median; tests/validation/carried_collectives_test.cpp).
std::shared_ptr<const MeasuredGroup> measured_group(const Cluster&, int ranks, int per_node);

}  // namespace cluster
}  // namespace tofn
