#include "sim/training/critical_batch.hpp"

#include <algorithm>
#include <cmath>

namespace tofn {
inline namespace training {

double batch_price(double batch, double critical_batch) { return batch / (batch + critical_batch); }

double samples_ratio(double batch, double other_batch, double critical_batch) {
  return (critical_batch + batch) / (critical_batch + other_batch);
}

double critical_batch_tokens(double tokens) {
  constexpr double share_above_least = 0.2;
  return 22.91 * std::pow(tokens, 0.47) / share_above_least;
}

std::optional<BatchLaw> fit_batch_law(std::span<const ReferencePoint> points) {
  // (least + slope batch) / samples = 1 at each point gives two normal equations.
  double uu = 0;
  double uv = 0;
  double vv = 0;
  double u1 = 0;
  double v1 = 0;
  for (const ReferencePoint& point : points) {
    const double u = 1 / point.samples;
    const double v = point.batch / point.samples;
    uu += u * u;
    uv += u * v;
    vv += v * v;
    u1 += u;
    v1 += v;
  }
  const double determinant = uu * vv - uv * uv;
  const double least = (u1 * vv - v1 * uv) / determinant;
  const double slope = (v1 * uu - u1 * uv) / determinant;
  if (points.size() < 2 || !(least > 0 && slope > 0)) return {};
  BatchLaw law{.least_samples = least, .critical_batch = least / slope, .worst_error = 0};
  for (const ReferencePoint& point : points)
    law.worst_error =
        std::max(law.worst_error, std::abs(law.samples(point.batch) / point.samples - 1));
  return law;
}

}  // namespace training
}  // namespace tofn
