#include "sim/scaling/efficiency.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace tofn {
inline namespace scaling {

ScalingPoint reference_point(std::span<const ScalingPoint> points) {
  assert(!points.empty());
  return *std::ranges::min_element(points, [](const auto& a, const auto& b) {
    return a.accelerators != b.accelerators ? a.accelerators < b.accelerators
                                            : a.minutes > b.minutes;
  });
}

double speedup(const ScalingPoint& point, const ScalingPoint& reference) {
  return reference.minutes / point.minutes;
}

double relative_efficiency(const ScalingPoint& point, const ScalingPoint& reference) {
  return speedup(point, reference) * reference.accelerators / point.accelerators;
}

double efficiency(const ScalingPoint& point, const ScalingPoint& reference) {
  return speedup(point, reference) / point.accelerators;
}

std::optional<double> linear_scaling_minutes(Values scores, int from, int accelerators) {
  if (scores.empty()) return {};
  return median(scores) * from / accelerators;
}

std::optional<double> scaling_efficiency(const ScalingPoint& point, Values base_minutes, int base) {
  const auto linear = linear_scaling_minutes(base_minutes, base, point.accelerators);
  if (!linear) return {};
  return *linear / point.minutes;
}

}  // namespace scaling
}  // namespace tofn
