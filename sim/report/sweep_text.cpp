#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/count_text.hpp"
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
  return std::find(fits_columns.begin(), fits_columns.end(), column) != fits_columns.end();
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
  const auto found = std::find(records.columns.begin(), records.columns.end(), name);
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
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row* a, const Row* b) { return key(a) < key(b); });
  return rows;
}

/// Columns that fit on the screen: the axes first, then the goal, then the other figures.
std::vector<std::size_t> shown_columns(const Sweep& sweep, const Records& records,
                                       const std::vector<const Row*>& rows,
                                       const std::optional<Goal>& goal) {
  constexpr std::size_t screen = 80;
  std::vector<std::size_t> order;
  const auto add = [&](std::size_t column) {
    if (column < records.columns.size() && !is_fits_column(records.columns[column]) &&
        std::find(order.begin(), order.end(), column) == order.end())
      order.push_back(column);
  };
  if (goal) add(column_of(records, goal->column));
  for (const Axis* axis : sweep.axes())
    if (std::any_of(rows.begin(), rows.end(),
                    [&, c = column_of(records, axis->name)](const Row* row) {
                      return c < row->size() && (*row)[c] != (*rows.front())[c];
                    }))
      add(column_of(records, axis->name));
  for (std::size_t c = 1; c < records.columns.size(); ++c) {
    const auto axes = sweep.axes();
    if (std::none_of(axes.begin(), axes.end(),
                     [&](const Axis* axis) { return axis->name == records.columns[c]; }))
      add(c);
  }
  std::vector<std::size_t> shown;
  std::size_t used = 0;
  for (const std::size_t column : order) {
    std::size_t width = records.columns[column].size();
    for (const Row* row : rows) width = std::max(width, short_cell_text((*row)[column]).size());
    if (!shown.empty() && used + width + 2 > screen) continue;
    used += width + 1;
    shown.push_back(column);
  }
  return shown;
}

/// Column of the records with its cells to the left if the first row has text in it.
template <class Cell>
TableColumn<const Row*> sweep_column(const Records& records, std::size_t c,
                                     const std::vector<const Row*>& rows, Cell cell) {
  const bool is_text = !rows.empty() && std::holds_alternative<std::string>((*rows.front())[c]);
  return is_text ? left(records.columns[c], cell) : right(records.columns[c], cell);
}

std::string rows_text(const Records& records, const std::vector<const Row*>& rows,
                      const std::vector<std::size_t>& shown) {
  TableColumns<const Row*> columns;
  for (const std::size_t c : shown)
    columns.push_back(sweep_column(records, c, rows, [&, c](const Row* row) {
      return short_cell_text((*row)[c]) +
             (c == shown.front() && is_unfit(records, *row) ? "!" : "");
    }));
  return table_text(columns, rows);
}

/// Words such as `tp 1, 2, 4, 8`; for many values the ends and their number.
std::string axis_words(const Axis& axis) {
  constexpr std::size_t most = 5;
  const std::string name = axis.multiplies ? "x " + axis.name : axis.name;
  if (axis.values.size() <= most) return fmt::format("{} {}", name, fmt::join(axis.values, ", "));
  return fmt::format("{} {} to {} ({} values)", name, axis.values.front(), axis.values.back(),
                     axis.values.size());
}

/// Text such as `least step_s 8.43: tp 4, cp 1, pp 8`.
std::string headline(const Sweep& sweep, const Records& records, const Row& best,
                     const std::optional<Goal>& goal) {
  if (!goal) return fmt::format("{} rows", records.rows.size());
  std::vector<std::string> settings;
  for (const Axis* axis : sweep.axes())
    if (const std::size_t c = column_of(records, axis->name); c < best.size())
      settings.push_back(fmt::format("{} {}", axis->name, short_cell_text(best[c])));
  const std::size_t column = column_of(records, goal->column);
  return fmt::format("{}{} {}{}: {}", sweep.best && records.rows.size() > 1 ? "first of the " : "",
                     goal->is_least ? "least" : "most", goal->column,
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
  std::vector<std::string> next{"-o FILE keeps all rows", "--details"};
  if (shown.size() + 1 < records.columns.size()) next.back() += " for all columns";
  text.screen =
      fmt::format("{}: {}\n\n", sweep.name, headline(sweep, records, *all.front(), goal)) +
      note("sweep", sweep.title) + listed_note("axes", axes, ";") + '\n' +
      rows_text(records, rows, shown) +
      (rows.size() < all.size() ? fmt::format("{} of {} rows\n\n", rows.size(), all.size())
                                : "\n") +
      substitutions_text(summary.assumed) + note("points", summary.points) +
      listed_note("next", next);
  return text;
}

}  // namespace report
}  // namespace tofn
