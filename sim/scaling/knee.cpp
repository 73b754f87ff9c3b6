#include "sim/scaling/knee.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tofn {
inline namespace scaling {
namespace {

using Points = std::span<const ScalingPoint>;

Knee at(Points points, std::size_t index, std::string_view name, std::string definition) {
  return {.name = name,
          .definition = std::move(definition),
          .accelerators = points[index].accelerators,
          .between = static_cast<double>(points[index].accelerators),
          .is_first = index == 0,
          .is_last = index + 1 == points.size()};
}

double log_size(const ScalingPoint& point) { return std::log2(point.accelerators); }

/// log(time x (N x time)^weight); logarithms avoid overflow.
double log_cost(const ScalingPoint& point, double weight) {
  return (1 + weight) * std::log(point.minutes) + weight * std::log(point.accelerators);
}

/// Minimum of the parabola through a point and its neighbours, which are no lower.
double vertex(Points points, std::size_t index, double weight) {
  const double left = log_size(points[index - 1]) - log_size(points[index]);
  const double right = log_size(points[index + 1]) - log_size(points[index]);
  const double here = log_cost(points[index], weight);
  const double before = (log_cost(points[index - 1], weight) - here) / left;
  const double after = (log_cost(points[index + 1], weight) - here) / right;
  const double curvature = (after - before) / (right - left);
  if (!(curvature > 0)) return points[index].accelerators;
  return points[index].accelerators * std::exp2(-(after - curvature * right) / (2 * curvature));
}

Knee cost_knee(Points points, double weight, std::string_view name, std::string definition) {
  // Sums of logarithms of equal products may differ in their last digits.
  constexpr double equal = 1e-12;
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (log_cost(points[i], weight) < log_cost(points[best], weight) - equal) best = i;
  Knee knee = at(points, best, name, std::move(definition));
  if (!knee.is_first && !knee.is_last) knee.between = vertex(points, best, weight);
  return knee;
}

Knee gain_knee(Points points, double least_gain) {
  const std::string definition =
      fmt::format("the next doubling gains less than {:g} %", 100 * least_gain);
  double before = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double gain = gain_per_doubling(points[i], points[i + 1]);
    if (gain < least_gain) {
      Knee knee = at(points, i, "gain", definition);
      if (i > 0)
        knee.between = std::exp2(std::lerp(log_size(points[i - 1]), log_size(points[i]),
                                           (before - least_gain) / (before - gain)));
      return knee;
    }
    before = gain;
  }
  return {.name = "gain", .definition = definition, .accelerators = {}};
}

}  // namespace

double gain_per_doubling(const ScalingPoint& from, const ScalingPoint& to) {
  const double doublings = std::log2(static_cast<double>(to.accelerators) / from.accelerators);
  return std::pow(from.minutes / to.minutes, 1 / doublings) - 1;
}

std::vector<Knee> knees_of(Points points, const KneeOptions& options) {
  if (points.empty()) return {};
  return {cost_knee(points, 1, "product", "the most speedup x efficiency"),
          gain_knee(points, options.least_gain),
          cost_knee(points, options.cost_weight, "cost",
                    fmt::format("the least time x cost^{:g}", options.cost_weight))};
}

}  // namespace scaling
}  // namespace tofn
