#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/curves/fit_nodes.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace curves {

/// A curve, and the node count that it holds for.
struct NodesCurve {
  CostCurve curve;
  int nodes = 0;
};

/// Every curve of one machine, by collective and ranks per node.
class MeasuredCollectives {
 public:
  /// Tables of a forced algorithm or protocol are left out: they are not what the library does.
  /// InputError where two others are of the same collective, ranks and nodes.
  explicit MeasuredCollectives(std::span<const CollectiveTable>);

  /// The curve of so many nodes, where they were measured, lie between measured counts, or several
  /// counts up to 4 or more nodes show how it grows; else the nearest measured one of 4 or more
  /// nodes, for the formulas to carry over; absent where only fewer were measured, as one node is a
  /// tier of its own and two are special. (Carried from 4 to 16 nodes so, GH200 tables are 3 to 8 %
  /// off in the median, from 2 nodes 23 to 31 %, by formula alone 18 to 22 %.)
  std::optional<NodesCurve> find(CollectiveKind, int ranks_per_node, int nodes) const;

  /// Whether any table is of that collective.
  bool has(CollectiveKind) const;

 private:
  std::vector<NodesFit> fits_;
};

}  // namespace curves
}  // namespace tofn
