#include "sim/calibration/evaluation_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tofn {
namespace {

constexpr int reweighting_rounds = 30;
constexpr double smallest_deviation = 0.01;
constexpr double significance = 2;

/// The equation divided by what was observed: 1 = a*per_pass + b*per_forward.
struct Row {
  double a = 0;
  double b = 0;
  double weight = 1;
};

struct NormalSums {
  double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
};

NormalSums sums_of(std::span<const Row> rows, bool weighted) {
  NormalSums s;
  for (const Row& row : rows) {
    const double w = weighted ? row.weight : 1;
    s.aa += w * row.a * row.a;
    s.ab += w * row.a * row.b;
    s.bb += w * row.b * row.b;
    s.a += w * row.a;
    s.b += w * row.b;
  }
  return s;
}

EvaluationCost solved(std::span<const Row> rows, bool with_passes) {
  const NormalSums s = sums_of(rows, true);
  const double determinant = s.aa * s.bb - s.ab * s.ab;
  if (!with_passes || determinant <= 1e-9 * s.aa * s.bb)
    return {.per_pass = {}, .per_forward = s.b / s.bb};
  return {.per_pass = Seconds{(s.a * s.bb - s.b * s.ab) / determinant},
          .per_forward = (s.b * s.aa - s.a * s.ab) / determinant};
}

double residual(const Row& row, const EvaluationCost& cost) {
  return row.a * cost.per_pass.base() + row.b * cost.per_forward - 1;
}

EvaluationCost robust(std::vector<Row> rows, bool with_passes) {
  EvaluationCost cost;
  for (int round = 0; round < reweighting_rounds; ++round) {
    cost = solved(rows, with_passes);
    for (Row& row : rows)
      row.weight = 1 / std::max(smallest_deviation, std::abs(residual(row, cost)));
  }
  return cost;
}

/// Standard error of per_pass if residuals were independent.
double pass_error(std::span<const Row> rows, const EvaluationCost& cost) {
  double squares = 0;
  for (const Row& row : rows) squares += std::pow(residual(row, cost), 2);
  const NormalSums s = sums_of(rows, false);
  const double determinant = s.aa * s.bb - s.ab * s.ab;
  const double freedom = std::max(1.0, static_cast<double>(rows.size()) - 2);
  return std::sqrt(squares / freedom * s.bb / determinant);
}

}  // namespace

EvaluationCost fit_evaluation(std::span<const EvaluationEquation> equations) {
  std::vector<Row> rows;
  for (const auto& e : equations)
    rows.push_back(
        {.a = e.passes / e.observed_seconds, .b = e.forward_seconds / e.observed_seconds});
  const EvaluationCost both = robust(rows, true);
  const bool is_significant = rows.size() > 2 && both.per_forward > 0 &&
                              both.per_pass.base() > significance * pass_error(rows, both);
  return is_significant ? both : robust(rows, false);
}

}  // namespace tofn
