#pragma once

#include <optional>
#include <vector>

#include "sim/blocks/formats.hpp"
#include "sim/sweep/columns.hpp"

namespace tofn {

/// A cell of a row: an axis, or a column.
struct Cell {
  OutputColumn column;
  std::optional<PlacedAxis> axis;
  const PointColumn* figure = nullptr;
};

/// What a sweep's rows hold and what keeps a point out of them: its words looked up.
struct RowLayout {
  std::vector<Cell> cells;                ///< after the point's number
  std::vector<Cell> known;                ///< every numeric axis and column, for constraints
  std::vector<std::size_t> goals, apart;  ///< of the selection, by cell
  bool needs_memory = false, needs_time = false, needs_expense = false, needs_interval = false,
       needs_reference = false;

  /// The point's number, the axes, the figures.
  std::vector<OutputColumn> columns() const;
};
/// InputError at the place in the sweep file of an unknown column, or one that cannot be a goal.
RowLayout layout_of(const SweepSources&);

}  // namespace tofn
