#pragma once

#include <span>
#include <vector>

#include "sim/cluster/communicator.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace validation {

/// A table and the ranks of a cluster that it was measured on.
struct PlacedTable {
  const CollectiveTable* table = nullptr;
  Communicator communicator;
};

/// Places `ranks` evenly over `nodes` of a cluster. InputError if its nodes have fewer
/// accelerators, or if it has no network.
Communicator placed_on(const Cluster&, int ranks, int nodes);

/// ln(predicted / measured) of each row, predicted by the formulas alone.
std::vector<double> formula_errors(const PlacedTable&, const Ramps&);

/// Ramps with the least mean error over the tables, each of which counts equally. An error counts
/// at most one half, so that a bad run does not distort them. Needs at least one table.
Ramps fit_ramps(std::span<const PlacedTable> tables);

}  // namespace validation
}  // namespace tofn
