#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/blocks/formats.hpp"
#include "sim/core/records.hpp"
#include "sim/core/rows.hpp"
#include "sim/sweep/point.hpp"

namespace tofn {
inline namespace sweep {

/// Kinds of sweep to which a column applies.
enum class ColumnOf { Both, Models, Workloads };

/// One figure of a point, which can be read once the point's stage is computed.
struct PointColumn : Column<Point> {
  template <class Figure>
  PointColumn(std::string name_, std::string_view meaning_, CellType type_, Stage stage_,
              ColumnOf of_, Figure figure)
      : Column(std::move(name_), figure, meaning_), type(type_), stage(stage_), of(of_) {}

  CellType type;
  Stage stage;
  ColumnOf of;
};

/// Column that says by which plan a point runs.
inline constexpr std::string_view plan_column = "plan";
/// Columns that say whether the plan fits the memory; the second is an older name.
inline constexpr std::array<std::string_view, 2> fits_columns{"fits", "fits_memory"};

/// All columns. To add one, add a row there.
std::span<const PointColumn> point_columns();

/// Finds a column by name in a sweep of models or of workloads; nullptr if there is none.
const PointColumn* find_column(std::string_view name, bool of_models);
std::vector<std::string> column_names(bool of_models);

/// Columns of a sweep that names none; `of_runs`: the sweep says what it trains.
std::vector<std::string> default_columns(bool of_models, bool of_runs);

/// A cell of a row: an axis, or a column.
struct Cell {
  OutputColumn column;
  std::optional<PlacedAxis> axis;
  const PointColumn* figure = nullptr;
};

/// Stages that the figures of a point need.
class Needs {
 public:
  void add(const Cell& cell) {
    if (cell.figure == nullptr) return;
    needed_[static_cast<std::size_t>(cell.figure->stage)] = true;
    // All later stages depend on the time.
    if (cell.figure->stage >= Stage::Time) needed_[static_cast<std::size_t>(Stage::Time)] = true;
  }
  bool has(Stage stage) const { return needed_[static_cast<std::size_t>(stage)]; }

 private:
  std::array<bool, stage_count> needed_{};
};

/// Columns of a sweep's rows, and conditions that exclude points, with their names resolved.
struct RowLayout {
  std::vector<Cell> cells;                ///< after the point's number
  std::vector<Cell> known;                ///< all numeric axes and columns, for constraints
  std::vector<std::size_t> goals, apart;  ///< of the selection, as indices into `cells`
  std::size_t best_by = 0;                ///< index into `cells`; used if the sweep takes a best
  Needs of_best;                          ///< constraints and the goal of the best
  Needs of_choice;                        ///< constraints and the columns of a selection
  Needs of_rows;                          ///< constraints and all cells
  bool must_fit = false;                  ///< excludes points that do not fit the memory
  bool leaves_plan_open = false;  ///< true if the parts of plans that nothing states are chosen

  /// Columns in order: the point's number, the axes, the figures.
  std::vector<OutputColumn> columns() const;
};
/// InputError with the place in the sweep file if a column is unknown or cannot be a goal.
RowLayout layout_of(const SweepSources&);

}  // namespace sweep
}  // namespace tofn
