#include "sim/workload/convergence.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace tofn {
inline namespace workload {
namespace {

/// Relative error midway between two points an octave apart. Leaving out each point of round 4.1 in
/// turn, which doubles the gap or more, gives 3.9 % rms (BERT), 7.4 % (LoRA), 7.5 % (RetinaNet) and
/// 9.2 % (Stable Diffusion); the error of a straight line grows with the square of the gap.
constexpr double interpolation_spread_per_octave = 0.03;
/// Relative error per octave beyond the points, assumed: the rms error of the law at the points
/// that it was fitted to.
constexpr double extrapolation_spread_per_octave = 0.06;

/// The best S0 for given Bc and p by relative least squares, and its squared error.
double best_base(std::span<const ReferencePoint> points, double critical, double power,
                 double& squared_error) {
  double numerator = 0;
  double denominator = 0;
  for (const auto& point : points) {
    const double shape = (1 + std::pow(point.batch / critical, power)) / point.samples;
    numerator += shape;
    denominator += shape * shape;
  }
  const double base = numerator / denominator;
  squared_error = 0;
  for (const auto& point : points) {
    const double model = base * (1 + std::pow(point.batch / critical, power));
    squared_error += std::pow(model / point.samples - 1, 2);
  }
  return base;
}

SamplesToTarget at_point(const ReferencePoint& point) {
  const double mean_deviation =
      point.runs > 0 ? point.standard_deviation / std::sqrt(point.runs) : 0;
  return {.expected = point.samples,
          .run_deviation = point.standard_deviation,
          .expected_deviation = mean_deviation,
          .basis = Basis::Measured};
}

SamplesToTarget interpolated(const ReferencePoint& low, const ReferencePoint& high, double batch) {
  const double span = std::log(high.batch / low.batch);
  const double share = std::log(batch / low.batch) / span;
  const double samples = low.samples * std::pow(high.samples / low.samples, share);
  const double relative = (1 - share) * low.standard_deviation / low.samples +
                          share * high.standard_deviation / high.samples;
  const double distance = 4 * share * (1 - share) * span / std::log(2.0);  // 0 at a point
  return {.expected = samples,
          .run_deviation = relative * samples,
          .expected_deviation = samples * std::hypot(relative / std::sqrt(std::max(low.runs, 1)),
                                                     interpolation_spread_per_octave * distance),
          .basis = Basis::Interpolated};
}

SamplesToTarget extrapolated(const ConvergenceLaw& law, const ReferencePoint& nearest,
                             double batch) {
  const double samples = nearest.samples * law.samples(batch) / law.samples(nearest.batch);
  const double octaves = std::abs(std::log2(batch / nearest.batch));
  const double relative = nearest.standard_deviation / nearest.samples;
  return {
      .expected = samples,
      .run_deviation = relative * samples,
      .expected_deviation = samples * std::hypot(relative / std::sqrt(std::max(nearest.runs, 1)),
                                                 extrapolation_spread_per_octave * octaves),
      .basis = Basis::Extrapolated};
}

}  // namespace

double ConvergenceLaw::samples(double batch) const {
  return base_samples * (1 + std::pow(batch / critical_batch, power));
}

ConvergenceLaw fit_convergence_law(std::span<const ReferencePoint> points) {
  assert(!points.empty());
  double centre = std::log(points.back().batch);
  double centre_power = 1.0;
  double width = std::log(1e3);
  double width_power = 0.9;
  ConvergenceLaw best;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 12; ++round) {
    double next = centre;
    double next_power = centre_power;
    for (int i = -8; i <= 8; ++i)
      for (int j = -8; j <= 8; ++j) {
        const double critical = std::exp(centre + width * i / 8);
        const double power = std::max(0.05, centre_power + width_power * j / 8);
        double error = 0;
        const double base = best_base(points, critical, power, error);
        if (error >= least) continue;
        least = error;
        best = {.base_samples = base, .critical_batch = critical, .power = power};
        next = std::log(critical);
        next_power = power;
      }
    centre = next;
    centre_power = next_power;
    width *= 0.6;
    width_power *= 0.6;
  }
  return best;
}

std::vector<ReferencePoint> as_of_round(std::vector<ReferencePoint> newest,
                                        std::span<const ReplacedPoint> replaced, double round) {
  for (ReferencePoint& point : newest) {
    const ReplacedPoint* first = nullptr;  // the earliest replaced point that was in force in
                                           // `round`
    for (const ReplacedPoint& old : replaced)
      if (old.point.batch == point.batch && round <= old.last_round &&
          (first == nullptr || old.last_round < first->last_round))
        first = &old;
    if (first != nullptr) point = first->point;
  }
  return newest;
}

SamplesToTarget samples_to_target(std::span<const ReferencePoint> points, double batch) {
  const bool lies_within =
      points.empty() || (points.front().batch <= batch && batch <= points.back().batch);
  return samples_to_target(points, lies_within ? ConvergenceLaw{} : fit_convergence_law(points),
                           batch);
}

SamplesToTarget samples_to_target(std::span<const ReferencePoint> points, const ConvergenceLaw& law,
                                  double batch) {
  assert(batch > 0);
  if (points.empty()) return {.basis = Basis::Assumed};
  const auto next = std::lower_bound(points.begin(), points.end(), batch,
                                     [](const ReferencePoint& p, double b) { return p.batch < b; });
  if (next != points.end() && next->batch == batch) return at_point(*next);
  if (next == points.begin()) return extrapolated(law, points.front(), batch);
  if (next == points.end()) return extrapolated(law, points.back(), batch);
  return interpolated(*(next - 1), *next, batch);
}

}  // namespace workload
}  // namespace tofn
