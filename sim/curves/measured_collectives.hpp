#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/curves/collective_table.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/curves/fit_nodes.hpp"

namespace tofn {
inline namespace curves {

/// A curve, and the node count that it is for.
struct NodesCurve {
  CostCurve curve;
  int nodes = 0;
};

/// All curves of one machine, by collective and ranks per node.
class MeasuredCollectives {
 public:
  /// Skips tables of a forced algorithm or protocol, which the library would not choose itself.
  /// InputError if two others have the same collective, ranks and nodes.
  explicit MeasuredCollectives(std::span<const CollectiveTable>);

  /// The curve of a node count that was measured, lies between measured counts, or follows from the
  /// growth over several counts up to 4 or more nodes. Otherwise the nearest measured curve of 4 or
  /// more nodes, for the formulas to carry over. Absent if only fewer were measured, because one
  /// node is a tier of its own and two are special. (Carried this way from 4 to 16 nodes, GH200
  /// tables are 3 to 8 % off in the median, from 2 nodes 23 to 31 %, by formula alone 18 to 22 %.)
  std::optional<NodesCurve> find(CollectiveKind, int ranks_per_node, int nodes) const;

  /// True if a table is of that collective.
  bool has(CollectiveKind) const;

 private:
  std::vector<NodesFit> fits_;
};

}  // namespace curves
}  // namespace tofn
