#include "sim/simulation/fit_efficiency.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

constexpr auto intervals =
    static_cast<double>(std::tuple_size_v<decltype(EfficiencyCurve::errors)> - 1);

double efficiency_at(double place) { return std::pow(lowest_efficiency, 1 - place / intervals); }

double squares(std::span<const EfficiencyCurve> curves, double place) {
  double sum = 0;
  for (const EfficiencyCurve& curve : curves) {
    const double error = curve.at(efficiency_at(place));
    sum += error * error;
  }
  return sum;
}

}  // namespace

double EfficiencyCurve::at(double efficiency) const {
  const double place = std::clamp(
      intervals * (1 - std::log(efficiency) / std::log(lowest_efficiency)), 0.0, intervals);
  const double below = std::min(std::floor(place), intervals - 1);
  const auto index = static_cast<std::size_t>(below);
  return errors[index] + (place - below) * (errors[index + 1] - errors[index]);
}

EfficiencyCurve efficiency_curve(const StepCase& step, KernelProfile profile) {
  assert(step.measured.has_value());
  EfficiencyCurve curve;
  for (std::size_t i = 0; i < curve.errors.size(); ++i) {
    profile.gemm_efficiency.value = efficiency_at(static_cast<double>(i));
    curve.errors[i] = std::log(step_times(step, profile).total / *step.measured);
  }
  return curve;
}

double fit_efficiency(std::span<const EfficiencyCurve> curves) {
  assert(!curves.empty());
  double best = 0;
  for (double place = 1; place <= intervals; ++place)
    if (squares(curves, place) < squares(curves, best)) best = place;
  double low = std::max(0.0, best - 1);
  double high = std::min(intervals, best + 1);
  while (high - low > 1e-6) {  // ternary search: one minimum lies between the neighbours
    const double third = (high - low) / 3;
    if (squares(curves, low + third) < squares(curves, high - third))
      high -= third;
    else
      low += third;
  }
  return efficiency_at((low + high) / 2);
}

StepTimes step_times(const StepCase& step, const KernelProfile& profile) {
  return simulate(step_work(step.model, step.plan, step.cluster, profile));
}

}  // namespace simulation
}  // namespace tofn
