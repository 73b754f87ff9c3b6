#include <cmath>
#include <optional>

#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace report {
namespace {

double rounded(double value) { return std::round(scorecard_digits * value) / scorecard_digits; }
double in_percent(double share) { return rounded(100 * share); }

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
      {"score_over_one_width",
       held([](const Held& h) { return rounded(h.score / h.score_of_one_width); })},
      {"baseline", [](const Row& row) { return known(row.baseline); }},
      {"baseline_mean_percent",
       [](const Row& row) {
         return row.baseline_mean ? std::optional(in_percent(*row.baseline_mean)) : std::nullopt;
       }},
      {"not_blind", [](const Row& row) { return known(row.not_blind); }}};
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
