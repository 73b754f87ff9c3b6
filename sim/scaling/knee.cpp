#include "sim/scaling/knee.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tofn {
namespace {

using Points = std::span<const ScalingPoint>;

Knee at(Points points, std::size_t index, std::string_view name, std::string definition) {
  return {.name = name,
          .definition = std::move(definition),
          .accelerators = points[index].accelerators,
          .is_first = index == 0,
          .is_last = index + 1 == points.size()};
}

/// Where time^a x (N x time)^w is least; in logarithms, so that no figure is too large.
std::size_t least_cost(Points points, double weight) {
  const auto cost = [&](const ScalingPoint& p) {
    return (1 + weight) * std::log(p.minutes) + weight * std::log(p.accelerators);
  };
  // Sums of logarithms of equal products differ in their last digits.
  constexpr double equal = 1e-12;
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (cost(points[i]) < cost(points[best]) - equal) best = i;
  return best;
}

Knee gain_knee(Points points, double least_gain) {
  const std::string definition =
      fmt::format("the next doubling gains less than {:g} %", 100 * least_gain);
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (gain_per_doubling(points[i], points[i + 1]) < least_gain)
      return at(points, i, "gain", definition);
  return {.name = "gain", .definition = definition, .accelerators = {}};
}

}  // namespace

double gain_per_doubling(const ScalingPoint& from, const ScalingPoint& to) {
  const double doublings = std::log2(static_cast<double>(to.accelerators) / from.accelerators);
  return std::pow(from.minutes / to.minutes, 1 / doublings) - 1;
}

std::vector<Knee> knees_of(Points points, const KneeOptions& options) {
  if (points.empty()) return {};
  return {at(points, least_cost(points, 1), "product", "the most speedup x efficiency"),
          gain_knee(points, options.least_gain),
          at(points, least_cost(points, options.cost_weight), "cost",
             fmt::format("the least time x cost^{:g}", options.cost_weight))};
}

}  // namespace tofn
