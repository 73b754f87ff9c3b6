#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/curves/collective_table.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/curves/fit_curve.hpp"

namespace tofn {
inline namespace curves {

/// Curves of one collective on several node counts of one machine with the same ranks per node.
struct NodesFit {
  int ranks_per_node = 0;
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::map<int, CurveFit> measured;   ///< by node count
  std::vector<double> growth;         ///< per point of a curve: seconds per doubling of nodes
  std::vector<std::string> warnings;  ///< on questions that the data hardly supports

  /// Curve for a node count: measured, Interpolated between measured counts, or Extrapolated beyond
  /// them. Needs nodes >= 1. Make it once and use it for many sizes.
  CostCurve curve(int nodes) const;
  CurveAnswer at(Bytes size, int nodes) const { return curve(nodes).at(size); }
};

/// Fits one collective's tables. InputError if there is no table, if they differ in collective or
/// ranks per node, or if two have the same node count.
NodesFit fit_nodes(std::span<const CollectiveTable> tables);

}  // namespace curves
}  // namespace tofn
