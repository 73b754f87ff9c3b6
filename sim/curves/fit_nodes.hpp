#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/curves/fit_curve.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace curves {

/// Curves of one collective on 1..many nodes of one machine with the same ranks per node.
struct NodesFit {
  int ranks_per_node = 0;
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::map<int, CurveFit> measured;   ///< by node count
  std::vector<double> growth;         ///< per point of a curve: seconds per doubling of nodes
  std::vector<std::string> warnings;  ///< where the data supports less than one would ask of it

  /// The curve on so many nodes: the measured one; between measured counts Interpolated; beyond
  /// them Extrapolated. Asks for nodes >= 1. Make it once, then ask it for sizes.
  CostCurve curve(int nodes) const;
  CurveAnswer at(Bytes size, int nodes) const { return curve(nodes).at(size); }
};

/// InputError where there is no table, tables differ in collective or ranks per node, or two are of
/// the same node count.
NodesFit fit_nodes(std::span<const CollectiveTable> tables);

}  // namespace curves
}  // namespace tofn
