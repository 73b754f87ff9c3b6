#include <algorithm>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/sweep/columns.hpp"
#include "sim/sweep/condition.hpp"

namespace tofn {
inline namespace sweep {
namespace {

/// Name of the first column of every row.
constexpr const char* point_column = "point";
/// True for the cells that say whether a plan fits. A constraint on one replaces the default rule
/// that points must fit.
bool says_fit(const Cell& cell) {
  return cell.figure != nullptr &&
         std::ranges::find(fits_columns, cell.column.name) != fits_columns.end();
}

bool are_numbers(const Axis& axis) {
  double number = 0;
  return std::ranges::all_of(axis.values,
                             [&](const std::string& value) { return parse_number(value, number); });
}

Cell cell_of(const PlacedAxis& placed, bool of_models) {
  const Axis& axis = *placed.axis;
  // SQLite ignores case in column names.
  const std::string name = lower_case(axis.name);
  const bool is_column = find_column(name, of_models) != nullptr && axis.path != axis.name &&
                         axis.path != whole_path(axis.name) && axis.path != "model." + axis.name;
  if (is_column || name == point_column)
    throw InputError(
        axis.location, "axes",
        fmt::format("'{}' is the name of a column: give the axis another name", axis.name));
  return {.column = {axis.name, are_numbers(axis) ? CellType::Number : CellType::Text},
          .axis = placed};
}

Cell cell_of(const PointColumn& column) {
  return {.column = {std::string(column.name), column.type}, .axis = {}, .figure = &column};
}

/// Index of the cell of that name, which is added to the row if it is missing.
std::size_t cell_named(const std::string& name, std::vector<Cell>& cells, bool of_models,
                       const Location& location, std::string_view key) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].column.name == name) return i;
  const PointColumn* column = find_column(name, of_models);
  if (column == nullptr)
    throw InputError(location, key, unknown_name("column", name, column_names(of_models)));
  cells.push_back(cell_of(*column));
  return cells.size() - 1;
}

/// Index of the cell of a goal's column. InputError if that column is text.
std::size_t goal_cell(const Goal& goal, std::vector<Cell>& cells, bool of_models,
                      std::string_view key) {
  const std::size_t cell = cell_named(goal.column, cells, of_models, goal.location, key);
  if (cells[cell].column.type == CellType::Text)
    throw InputError(goal.location, key,
                     fmt::format("'{}' is text: a goal is a number", goal.column));
  return cell;
}

void note_needs(RowLayout& layout, const Sweep& sweep, bool of_models) {
  std::vector<std::string> known;
  for (const Cell& cell : layout.known) known.push_back(cell.column.name);
  Needs needs;
  layout.must_fit = of_models && (sweep.best || sweep.select);
  for (const SweepText& stated : sweep.constraints) {
    const Condition condition(stated, known);
    for (const Cell& cell : layout.known)
      if (std::ranges::count(condition.names(), cell.column.name) > 0) {
        needs.add(cell);
        if (says_fit(cell)) layout.must_fit = false;
      }
  }
  if (layout.must_fit) needs.add(cell_of(*find_column(fits_columns.front(), of_models)));
  layout.of_best = layout.of_choice = layout.of_rows = needs;
  if (sweep.best) layout.of_best.add(layout.cells[layout.best_by]);
  for (const std::size_t cell : layout.goals) layout.of_choice.add(layout.cells[cell]);
  for (const std::size_t cell : layout.apart) layout.of_choice.add(layout.cells[cell]);
  for (const Cell& cell : layout.cells) layout.of_rows.add(cell);
}

void check_needs(const RowLayout& layout, const SweepSources& sources) {
  const Sweep& sweep = sources.sweep();
  if (sources.is_of_models() && layout.of_rows.has(Stage::Interval) &&
      !sweep.asks_for(&Request::trains))
    throw InputError(sweep.base.location, "base",
                     "days, cost_usd and other figures of a run need tokens, e.g. 2T");
  if (sources.is_of_models() && !sweep.asks_for(&Request::trains))
    for (const RequestKey& key : request_keys)
      if (key.kind == RequestKind::Cost && sweep.asks_for(key.text))
        throw InputError(
            sweep.base.location, "base",
            fmt::format("{} changes nothing without a run: state tokens, e.g. 2T", key.name));
  if (layout.of_rows.has(Stage::Reference) && !sweep.asks_for(&Request::reference))
    throw InputError(sweep.base.location, "base",
                     "speedup and efficiency need reference: the accelerators to compare with");
}

/// True if parts of the first point's plan are not stated and therefore chosen.
bool leaves_plan_open(const SweepSources& sources) {
  const Positions first(sources.sweep().groups.size());
  PointInputs inputs(sources);
  return leaves_open(*inputs.plan(first), inputs.model(first));
}

/// Adds the columns that every row of a model has: whether it fits, and the plan if it is chosen.
void add_reported(RowLayout& layout) {
  if (std::ranges::none_of(layout.cells, says_fit))
    layout.cells.push_back(cell_of(*find_column(fits_columns.front(), true)));
  if (layout.leaves_plan_open)
    cell_named(std::string(plan_column), layout.cells, true, {}, "columns");
}

}  // namespace

std::vector<OutputColumn> RowLayout::columns() const {
  std::vector<OutputColumn> all{{point_column, CellType::Whole}};
  for (const Cell& cell : cells) all.push_back(cell.column);
  return all;
}

RowLayout layout_of(const SweepSources& sources) {
  const bool models = sources.is_of_models();
  const Sweep& sweep = sources.sweep();
  RowLayout layout;
  for (const PlacedAxis& placed : placed_axes(sweep))
    layout.cells.push_back(cell_of(placed, models));
  for (const Cell& axis : layout.cells)
    if (axis.column.type != CellType::Text) layout.known.push_back(axis);
  for (const PointColumn& column : point_columns())
    if (column.type != CellType::Text && find_column(column.name, models) == &column &&
        std::ranges::none_of(layout.known,
                             [&](const Cell& cell) { return cell.column.name == column.name; }))
      layout.known.push_back(cell_of(column));
  for (const SweepText& column : sweep.columns)
    cell_named(column.text, layout.cells, models, column.location, "columns");
  if (sweep.columns.empty())
    for (const std::string& name : default_columns(models, sweep.asks_for(&Request::trains)))
      cell_named(name, layout.cells, models, {}, "columns");
  if (models) {
    layout.leaves_plan_open = leaves_plan_open(sources);
    add_reported(layout);
  }
  if (sweep.best) layout.best_by = goal_cell(sweep.best->by, layout.cells, models, "best");
  if (sweep.select) {
    for (const Goal& goal : sweep.select->goals)
      layout.goals.push_back(goal_cell(goal, layout.cells, models, "select"));
    for (const SweepText& apart : sweep.select->apart)
      layout.apart.push_back(
          cell_named(apart.text, layout.cells, models, apart.location, "select"));
  }
  note_needs(layout, sweep, models);
  check_needs(layout, sources);
  return layout;
}

}  // namespace sweep
}  // namespace tofn
