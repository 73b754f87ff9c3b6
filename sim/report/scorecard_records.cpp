#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr double digits = 100;  // two after the point

double rounded(double value) { return std::round(digits * value) / digits; }
double in_percent(double share) { return rounded(100 * share); }

/// A figure of the scorecard: how much worse it is the larger it is.
struct Judged {
  std::string_view column;
  double (*badness)(double);
};
double as_it_is(double value) { return value; }
double from_ninety(double value) { return std::abs(value - 90); }
double negative(double value) { return -value; }
constexpr std::array judged{Judged{"n", negative}, Judged{"mean_percent", as_it_is},
                            Judged{"median_percent", as_it_is}, Judged{"in90_percent", from_ninety},
                            Judged{"score", as_it_is}};

std::optional<double> number_at(const CsvTable& table, std::size_t row, std::string_view column) {
  const std::string& cell = table.at(row, column);
  double value = 0;
  if (cell.empty()) return {};
  if (!parse_number(cell, value))
    throw InputError(table.location(row, column), column, "expected a number, got '" + cell + "'");
  return value;
}

std::optional<std::size_t> row_named(const CsvTable& table, const std::string& what) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(row, "what") == what) return row;
  return {};
}

}  // namespace

Records scorecard_records(const std::vector<ScorecardRow>& rows) {
  using Row = ScorecardRow;
  const auto accuracy = [](auto figure) {
    return [figure](const Row& row) { return figure(row.accuracy); };
  };
  const auto held = [](auto figure) {
    return [figure](const Row& row) {
      const auto& of_row = row.accuracy.held;
      return of_row ? std::optional(figure(*of_row)) : std::nullopt;
    };
  };
  const Columns<Row> columns{
      {"what", &Row::what},
      {"of", &Row::of},
      {"n", accuracy([](const Accuracy& a) { return a.count; })},
      {"mean_percent", accuracy([](const Accuracy& a) { return in_percent(a.mean); })},
      {"median_percent", accuracy([](const Accuracy& a) { return in_percent(a.median); })},
      {"bias_percent", accuracy([](const Accuracy& a) { return in_percent(a.bias); })},
      {"in50_percent", held([](const Held& h) { return in_percent(h.shares[0]); })},
      {"in80_percent", held([](const Held& h) { return in_percent(h.shares[1]); })},
      {"in90_percent", held([](const Held& h) { return in_percent(h.shares[2]); })},
      {"half_width_percent", held([](const Held& h) { return in_percent(h.half_width); })},
      {"score", held([](const Held& h) { return rounded(h.score); })},
      {"score_of_one_width", held([](const Held& h) { return rounded(h.score_of_one_width); })},
      {"baseline", [](const Row& row) { return known(row.baseline); }},
      {"baseline_mean_percent", [](const Row& row) {
         return row.baseline_mean ? std::optional(in_percent(*row.baseline_mean)) : std::nullopt;
       }}};
  return records_of(columns, rows);
}

ScorecardChanges scorecard_changes(const CsvTable& before, const CsvTable& now) {
  constexpr double rounding = 1.01 / digits;
  ScorecardChanges changes;
  for (std::size_t row = 0; row < before.rows(); ++row) {
    const std::string& what = before.at(row, "what");
    const auto same = row_named(now, what);
    if (!same) {
      changes.worse.push_back(what + ": is no longer scored");
      continue;
    }
    for (const Judged& each : judged) {
      const auto was = number_at(before, row, each.column);
      const auto is = number_at(now, *same, each.column);
      if (!was) continue;
      const double more =
          is ? each.badness(*is) - each.badness(*was) : std::numeric_limits<double>::infinity();
      if (std::abs(more) <= rounding) continue;
      (more > 0 ? changes.worse : changes.better)
          .push_back(fmt::format("{}: {} {} -> {}", what, each.column, *was,
                                 is ? fmt::format("{}", *is) : "nothing"));
    }
  }
  for (std::size_t row = 0; row < now.rows(); ++row)
    if (!row_named(before, now.at(row, "what")))
      changes.better.push_back(now.at(row, "what") + ": is new");
  return changes;
}

}  // namespace report
}  // namespace tofn
