#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/csv_row.hpp"
#include "sim/core/words.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A column of the scorecard: `badness` is larger for worse figures, and `tolerance` is the growth
/// that does not matter.
struct Judged {
  std::string_view column;
  double (*badness)(double);
  double (*tolerance)(const CsvTable&, std::size_t row, std::string_view column);
};

constexpr double rounding = 1.01 / scorecard_digits;

/// Tolerance of a row, as in scripts/accuracy_gate.py: 3 % for a whole table, 10 % for a group.
double allowed_growth(const CsvTable& table, std::size_t row) {
  return table.at(row, "what").find(", ") == std::string::npos ? 0.03 : 0.10;
}

double share_of_itself(const CsvTable& table, std::size_t row, std::string_view column) {
  return allowed_growth(table, row) *
         std::abs(CsvRow(table, row).number(std::string(column)).value_or(0));
}
/// Tolerance of a bias: a share of the mean error, because a bias near zero may double without
/// mattering.
double share_of_mean(const CsvTable& table, std::size_t row, std::string_view) {
  return share_of_itself(table, row, "mean_percent");
}
double one_measurement(const CsvTable& table, std::size_t row, std::string_view) {
  return std::max(1.0, 100 / CsvRow(table, row).number("n").value_or(100));
}
double none(const CsvTable&, std::size_t, std::string_view) { return 0; }

double as_it_is(double value) { return value; }
double without_sign(double value) { return std::abs(value); }
double negative(double value) { return -value; }
template <int promised>
double away_from(double value) {
  return std::abs(value - promised);
}
constexpr std::array judged{Judged{"n", negative, none},
                            Judged{"mean_percent", as_it_is, share_of_itself},
                            Judged{"median_percent", as_it_is, share_of_mean},
                            Judged{"bias_percent", without_sign, share_of_mean},
                            Judged{"in50_percent", away_from<50>, one_measurement},
                            Judged{"in80_percent", away_from<80>, one_measurement},
                            Judged{"in90_percent", away_from<90>, one_measurement},
                            Judged{"half_width_percent", as_it_is, share_of_itself},
                            Judged{"score", as_it_is, share_of_itself},
                            Judged{"score_over_one_width", as_it_is, share_of_itself}};

std::optional<std::size_t> row_named(const CsvTable& table, const std::string& what) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(row, "what") == what) return row;
  return {};
}

/// True if the row has figures; a removed row stays without any.
bool is_scored_row(const CsvTable& table, std::size_t row) {
  return CsvRow(table, row).number("n").has_value();
}

/// Earlier value of a figure; for a mean error its best value, if as many rows were scored then.
std::optional<double> figure_before(const CsvTable& before, std::size_t row, const CsvTable& now,
                                    std::size_t same, std::string_view column) {
  const CsvRow was(before, row);
  const bool is_of_as_many = was.number("n") == CsvRow(now, same).number("n");
  if (column == "mean_percent" && is_of_as_many && before.has_column("best_mean_percent"))
    if (const auto best = was.number("best_mean_percent")) return best;
  return was.number(std::string(column));
}

void compare_rows(const CsvTable& before, std::size_t row, const CsvTable& now, std::size_t same,
                  ScorecardChanges& changes) {
  for (const Judged& each : judged) {
    const auto was = figure_before(before, row, now, same, each.column);
    const auto is = CsvRow(now, same).number(std::string(each.column));
    if (!was) continue;
    const double more =
        is ? each.badness(*is) - each.badness(*was) : std::numeric_limits<double>::infinity();
    if (std::abs(more) <= rounding) continue;
    if (more > 0 && more <= rounding + each.tolerance(before, row, each.column))
      ++changes.slightly_worse;
    else
      (more > 0 ? changes.worse : changes.better)
          .push_back({before.at(row, "what"), std::string(each.column), was, is});
  }
}

}  // namespace

double badness(std::string_view column, double value) {
  const auto found = std::ranges::find(judged, column, &Judged::column);
  assert(found != judged.end() && "a change names a figure that is judged");
  return found->badness(value);
}

std::string ScorecardChange::text() const {
  if (column.empty()) return fmt::format("{}: {}", what, was ? "is no longer scored" : "is new");
  return fmt::format("{}: {} {} -> {}", what, column, *was,
                     is ? fmt::format("{}", *is) : "nothing");
}

std::string ScorecardChange::before() const {
  return column.empty() ? fmt::format("n {}", *was) : fmt::format("{} {}", column, *was);
}

ScorecardChanges scorecard_changes(const CsvTable& before, const CsvTable& now) {
  ScorecardChanges changes;
  for (std::size_t row = 0; row < before.rows(); ++row) {
    if (!is_scored_row(before, row)) continue;
    const std::string& what = before.at(row, "what");
    const auto same = row_named(now, what);
    if (same && is_scored_row(now, *same))
      compare_rows(before, row, now, *same, changes);
    else
      changes.worse.push_back({.what = what, .column = {}, .was = CsvRow(before, row).number("n")});
  }
  for (std::size_t row = 0; row < now.rows(); ++row) {
    const auto same = row_named(before, now.at(row, "what"));
    if (is_scored_row(now, row) && !(same && is_scored_row(before, *same)))
      changes.better.push_back({.what = now.at(row, "what"), .column = {}});
  }
  return changes;
}

std::string changes_text(const ScorecardChanges& changes) {
  std::string text;
  for (const ScorecardChange& each : changes.worse) text += "worse: " + each.text() + '\n';
  for (const ScorecardChange& each : changes.better) text += "better: " + each.text() + '\n';
  if (changes.slightly_worse > 0)
    text += fmt::format("{} worse by less than matters (3 % of a table, 10 % of a group)\n",
                        counted(changes.slightly_worse, "figure"));
  return text.empty() ? "no figure differs from the scorecard\n" : text;
}

}  // namespace report
}  // namespace tofn
