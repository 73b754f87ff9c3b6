#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/count_text.hpp"
#include "sim/core/names.hpp"
#include "sim/core/words.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/sweep_report.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/sweep/columns.hpp"

namespace tofn {
inline namespace report {
namespace {

using Row = std::vector<Value>;

/// Text of a cell with all digits before the point, up to a trillion.
std::string sweep_cell_text(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    const bool is_whole = *number == std::floor(*number) && std::abs(*number) < 1e12;
    const bool has_no_use_for_more = std::abs(*number) >= 1000 && std::abs(*number) < 1e12;
    return is_whole || has_no_use_for_more ? fmt::format("{:.0f}", *number)
                                           : fmt::format("{:.4g}", *number);
  }
  if (const auto* whole = std::get_if<long long>(&value)) return fmt::format("{}", *whole);
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? "" : *text;
}

/// Text of a cell with three digits.
std::string short_cell_text(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return sweep_cell_text(value);
  return *number == std::floor(*number) && std::abs(*number) < 1e4 ? fmt::format("{:.0f}", *number)
                                                                   : short_figure(*number);
}

bool is_fits_column(const std::string& column) {
  return std::ranges::find(fits_columns, column) != fits_columns.end();
}

/// True if the cell says that the row's plan does not fit the memory.
bool says_unfit(const std::string& column, const Value& value) {
  const auto* fits = std::get_if<long long>(&value);
  return fits != nullptr && *fits == 0 && is_fits_column(column);
}

bool is_unfit(const Records& records, const Row& row) {
  for (std::size_t c = 0; c < row.size(); ++c)
    if (says_unfit(records.columns[c], row[c])) return true;
  return false;
}

std::size_t column_of(const Records& records, const std::string& name) {
  const auto found = std::ranges::find(records.columns, name);
  return static_cast<std::size_t>(found - records.columns.begin());
}

/// Goal of the sweep itself, else the first of these figures that its rows have.
std::optional<Goal> goal_of(const Sweep& sweep, const Records& records) {
  if (sweep.select) return sweep.select->goals.front();
  if (sweep.best) return sweep.best->by;
  for (const char* least : {"days_as_runs_went", "days", "time_to_train_min", "step_s"})
    if (column_of(records, least) < records.columns.size()) return Goal{.column = least};
  return {};
}

/// Rows in the order of the sweep's choice, or for a grid by the goal, with unfit ones last.
std::vector<const Row*> ranked(const Sweep& sweep, const Records& records,
                               const std::optional<Goal>& goal) {
  std::vector<const Row*> rows;
  for (const Row& row : records.rows) rows.push_back(&row);
  const std::size_t column = goal ? column_of(records, goal->column) : records.columns.size();
  if (sweep.select || sweep.best || column == records.columns.size()) return rows;
  const auto key = [&](const Row* row) {
    const auto* number = std::get_if<double>(&(*row)[column]);
    const double value = number == nullptr ? HUGE_VAL : goal->is_least ? *number : -*number;
    return std::pair(is_unfit(records, *row), value);
  };
  std::ranges::stable_sort(rows, [&](const Row* a, const Row* b) { return key(a) < key(b); });
  return rows;
}

/// Axes that tell the rows apart: of axes that move together, those up to the first one whose
/// values all differ.
std::vector<const Axis*> distinguishing_axes(const Sweep& sweep) {
  std::vector<const Axis*> axes;
  for (const AxisGroup& group : sweep.groups)
    for (const Axis& axis : group.axes) {
      axes.push_back(&axis);
      if (std::set(axis.values.begin(), axis.values.end()).size() == axis.values.size()) break;
    }
  return axes;
}

/// Columns on the screen: the axes that tell the rows apart, then those that fit beside them of the
/// goal, the columns that the file names and the others.
std::vector<std::size_t> shown_columns(const Sweep& sweep, const Records& records,
                                       const std::vector<const Row*>& rows,
                                       const std::optional<Goal>& goal) {
  constexpr std::size_t screen = 79;  // a mark takes one more
  std::vector<std::size_t> shown;
  std::size_t used = 0;
  const auto add = [&](std::size_t column, bool is_axis) {
    if (column >= records.columns.size() || std::ranges::count(shown, column) > 0) return;
    std::size_t width = records.columns[column].size();
    for (const Row* row : rows) width = std::max(width, short_cell_text((*row)[column]).size());
    if (!is_axis && used + width > screen) return;
    used += width + 1;
    shown.push_back(column);
  };
  for (const Axis* axis : distinguishing_axes(sweep)) add(column_of(records, axis->name), true);
  if (goal) add(column_of(records, goal->column), false);
  for (const SweepText& named : sweep.columns) add(column_of(records, named.text), false);
  for (std::size_t c = 1; c < records.columns.size(); ++c)
    if (!is_fits_column(records.columns[c])) add(c, false);
  return shown;
}

/// Line that names the columns which are not on the screen; a mark says what `fits` would.
std::string left_out_columns(const Records& records, const std::vector<std::size_t>& shown) {
  std::vector<std::string> names;
  for (std::size_t c = 1; c < records.columns.size(); ++c)
    if (!is_fits_column(records.columns[c]) && std::ranges::count(shown, c) == 0)
      names.push_back(records.columns[c]);
  return names.empty() ? "" : listed_note("not shown", names);
}

/// Column of the records with its cells to the left if the first row has text in it.
template <class Cell>
TableColumn<const Row*> sweep_column(const Records& records, std::size_t c,
                                     const std::vector<const Row*>& rows, Cell cell) {
  const bool is_text = !rows.empty() && std::holds_alternative<std::string>((*rows.front())[c]);
  return is_text ? left(records.columns[c], cell) : right(records.columns[c], cell);
}

/// Table of the rows, with a mark at the goal of those that do not fit.
std::string rows_text(const Records& records, const std::vector<const Row*>& rows,
                      const std::vector<std::size_t>& shown, const std::optional<Goal>& goal) {
  const std::size_t of_goal = goal ? column_of(records, goal->column) : records.columns.size();
  const bool has_goal = std::ranges::count(shown, of_goal) > 0;
  const std::size_t marked = has_goal || shown.empty() ? of_goal : shown.front();
  TableColumns<const Row*> columns;
  for (const std::size_t c : shown)
    columns.push_back(sweep_column(records, c, rows, [&, c](const Row* row) {
      return short_cell_text((*row)[c]) + (c == marked && is_unfit(records, *row) ? "!" : "");
    }));
  const bool all_fit =
      std::ranges::none_of(rows, [&](const Row* row) { return is_unfit(records, *row); });
  return table_text(columns, rows) + (all_fit ? "" : "!: it does not fit the memory\n");
}

/// Words such as `tp 1, 2, 4, 8`; for many values the ends and their number.
std::string axis_words(const Axis& axis) {
  constexpr std::size_t most = 5;
  const std::string name = axis.multiplies ? "x " + axis.name : axis.name;
  if (axis.values.size() <= most) return fmt::format("{} {}", name, fmt::join(axis.values, ", "));
  return fmt::format("{} {} to {} ({} values)", name, axis.values.front(), axis.values.back(),
                     axis.values.size());
}

/// Texts of the sweep file: `tp, pp`.
std::string words_of(const std::vector<SweepText>& stated) {
  std::vector<std::string> texts;
  for (const SweepText& each : stated) texts.push_back(each.text);
  return choices(texts);
}

/// Text such as `least step_s 8.43: tp 4, cp 1, pp 8`; where there are several choices, what each
/// row is: `4 rows, each with the least step_s of all tp, pp`.
std::string headline(const Sweep& sweep, const Records& records, const Row& best,
                     const std::optional<Goal>& goal) {
  const std::string count = counted(records.rows.size(), "row");
  if (!goal) return count;
  const std::string aim = (goal->is_least ? "least " : "most ") + goal->column;
  if (sweep.select && !sweep.select->apart.empty())
    return fmt::format("{}, chosen for each {}", count, words_of(sweep.select->apart));
  if (sweep.best && !sweep.select && records.rows.size() > 1)
    return fmt::format("{}, each with the {} of all {}", count, aim, words_of(sweep.best->of));
  std::vector<std::string> settings;
  for (const Axis* axis : sweep.axes())
    if (const std::size_t c = column_of(records, axis->name); c < best.size())
      settings.push_back(fmt::format("{} {}", axis->name, short_cell_text(best[c])));
  const std::size_t column = column_of(records, goal->column);
  return fmt::format("{}{}: {}", aim,
                     column < best.size() ? " " + short_cell_text(best[column]) : "",
                     fmt::join(settings, ", "));
}

/// Table of the first rows with every column.
std::string whole_table(const Records& records) {
  constexpr std::size_t most = 60;
  const std::size_t shown = std::min(most, records.rows.size());
  std::vector<const Row*> rows;
  for (const Row& row : std::span(records.rows).first(shown)) rows.push_back(&row);
  TableColumns<const Row*> columns;
  for (std::size_t c = 0; c < records.columns.size(); ++c)
    columns.push_back(sweep_column(records, c, rows, [&, c](const Row* row) {
      const Value& value = (*row)[c];
      return sweep_cell_text(value) + (says_unfit(records.columns[c], value) ? "!" : "");
    }));
  const std::size_t more = records.rows.size() - shown;
  return table_text(columns, rows) +
         (more == 0 ? "" : fmt::format("{} rows more: -o FILE keeps all\n", more));
}

}  // namespace

AnswerText sweep_text(const Sweep& sweep, const Records& records, const SweepSummary& summary) {
  constexpr std::size_t most_rows = 20;
  AnswerText text;
  text.details = whole_table(records);
  for (const std::string& each : summary.notes) text.details += note("note", each);
  if (records.rows.empty()) {
    text.screen = fmt::format("{}: no row\n", sweep.name) + note("points", summary.points);
    return text;
  }
  const std::optional<Goal> goal = goal_of(sweep, records);
  const std::vector<const Row*> all = ranked(sweep, records, goal);
  std::vector<const Row*> rows(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(most_rows, all.size())));
  const std::vector<std::size_t> shown = shown_columns(sweep, records, rows, goal);
  std::vector<std::string> axes;
  for (const Axis* axis : sweep.axes()) axes.push_back(axis_words(*axis));
  text.screen =
      fmt::format("{}: {}\n\n", sweep.name, headline(sweep, records, *all.front(), goal)) +
      note("sweep", sweep.title) + listed_note("axes", axes, ";") + '\n' +
      rows_text(records, rows, shown, goal) +
      (rows.size() < all.size() ? fmt::format("{} of {} rows\n\n", rows.size(), all.size())
                                : "\n") +
      left_out_columns(records, shown) + substitutions_text(summary.assumed) +
      note("points", summary.points) +
      listed_note("next", {"-o FILE keeps all rows", "--details for all columns"});
  return text;
}

}  // namespace report
}  // namespace tofn
