#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/csv_row.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A figure of the scorecard: how much worse it is the larger it is.
struct Judged {
  std::string_view column;
  double (*badness)(double);
};
double as_it_is(double value) { return value; }
double without_sign(double value) { return std::abs(value); }
double negative(double value) { return -value; }
template <int promised>
double away_from(double value) {
  return std::abs(value - promised);
}
constexpr std::array judged{Judged{"n", negative},
                            Judged{"mean_percent", as_it_is},
                            Judged{"median_percent", as_it_is},
                            Judged{"bias_percent", without_sign},
                            Judged{"in50_percent", away_from<50>},
                            Judged{"in80_percent", away_from<80>},
                            Judged{"in90_percent", away_from<90>},
                            Judged{"half_width_percent", as_it_is},
                            Judged{"score", as_it_is},
                            Judged{"score_over_one_width", as_it_is}};

std::optional<std::size_t> row_named(const CsvTable& table, const std::string& what) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(row, "what") == what) return row;
  return {};
}

/// A row that is gone stays without figures.
bool is_scored_row(const CsvTable& table, std::size_t row) {
  return CsvRow(table, row).number("n").has_value();
}

void compare_rows(const CsvTable& before, std::size_t row, const CsvTable& now, std::size_t same,
                  ScorecardChanges& changes) {
  constexpr double rounding = 1.01 / scorecard_digits;
  for (const Judged& each : judged) {
    const auto was = CsvRow(before, row).number(each.column);
    const auto is = CsvRow(now, same).number(each.column);
    if (!was) continue;
    const double more =
        is ? each.badness(*is) - each.badness(*was) : std::numeric_limits<double>::infinity();
    if (std::abs(more) <= rounding) continue;
    (more > 0 ? changes.worse : changes.better)
        .push_back({before.at(row, "what"), std::string(each.column), was, is});
  }
}

}  // namespace

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
  return text.empty() ? "no figure differs from the scorecard\n" : text;
}

std::vector<ScorecardChange> unexplained(const CsvTable& before, const CsvTable& now) {
  std::vector<ScorecardChange> left = scorecard_changes(before, now).worse;
  std::erase_if(left, [&](const ScorecardChange& each) {
    const auto row = row_named(now, each.what);
    if (!row || CsvRow(now, *row).text("why").empty()) return false;
    const std::string said = "; " + CsvRow(now, *row).text("was") + ';';
    return said.find("; " + each.before() + ';') != std::string::npos;
  });
  return left;
}

}  // namespace report
}  // namespace tofn
