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

/// What is known of only one kind of sweep.
enum class ColumnOf { Both, Models, Workloads };

/// One figure of a point, to be asked for once the point's stage was worked out.
struct PointColumn : Column<Point> {
  template <class Figure>
  PointColumn(std::string name_, std::string_view meaning_, CellType type_, Stage stage_,
              ColumnOf of_, Figure figure)
      : Column(std::move(name_), figure, meaning_), type(type_), stage(stage_), of(of_) {}

  CellType type;
  Stage stage;
  ColumnOf of;
};

/// By which plan a point runs.
inline constexpr std::string_view plan_column = "plan";
/// Whether the memory holds it; the second is what it was called before.
inline constexpr std::array<std::string_view, 2> fits_columns{"fits", "fits_memory"};

/// Every figure. Add one here: a row.
std::span<const PointColumn> point_columns();

/// By name, of a sweep of models or of workloads; nullptr if there is none.
const PointColumn* find_column(std::string_view name, bool of_models);
std::vector<std::string> column_names(bool of_models);

/// What a sweep shows that names no columns; `of_runs`: it says what it trains.
std::vector<std::string> default_columns(bool of_models, bool of_runs);

/// A cell of a row: an axis, or a column.
struct Cell {
  OutputColumn column;
  std::optional<PlacedAxis> axis;
  const PointColumn* figure = nullptr;
};

/// The stages that figures of a point need.
class Needs {
 public:
  void add(const Cell& cell) {
    if (cell.figure == nullptr) return;
    needed_[static_cast<std::size_t>(cell.figure->stage)] = true;
    // Everything after it rests on the time.
    if (cell.figure->stage >= Stage::Time) needed_[static_cast<std::size_t>(Stage::Time)] = true;
  }
  bool has(Stage stage) const { return needed_[static_cast<std::size_t>(stage)]; }

 private:
  std::array<bool, stage_count> needed_{};
};

/// What a sweep's rows hold and what keeps a point out of them: its words looked up.
struct RowLayout {
  std::vector<Cell> cells;                ///< after the point's number
  std::vector<Cell> known;                ///< every numeric axis and column, for constraints
  std::vector<std::size_t> goals, apart;  ///< of the selection, by cell
  std::size_t best_by = 0;                ///< by cell, where the sweep takes a best
  Needs of_best;                          ///< constraints, and what the best is by
  Needs of_choice;                        ///< constraints, and what a selection goes by
  Needs of_rows;                          ///< constraints, and all cells
  bool must_fit = false;                  ///< whether points are left out that the memory lacks
  bool leaves_plan_open = false;          ///< whether what of plans is not stated is chosen

  /// The point's number, the axes, the figures.
  std::vector<OutputColumn> columns() const;
};
/// InputError at the place in the sweep file of an unknown column, or one that cannot be a goal.
RowLayout layout_of(const SweepSources&);

}  // namespace sweep
}  // namespace tofn
