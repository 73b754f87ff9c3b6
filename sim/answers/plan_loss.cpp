#include "sim/answers/plan_loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tofn {
inline namespace answers {
namespace {

constexpr double least = 1e-3;

/// Factor of days = samples x accelerator-time per sample x (1 / goodput) / accelerators, or of the
/// cost or energy of the accelerator-hours.
struct Factor {
  std::string_view name;
  double (*of)(const RunPoint&);
  /// Exponents in time, cost, and energy (also carbon).
  std::array<int, 3> in;
};

double sample_time(const RunPoint& point) {
  const RunFigures& f = point.estimate->expected;
  return f.training_seconds / f.samples * point.accelerators;
}

constexpr std::array factors{
    Factor{"accelerators", [](const RunPoint& p) { return 1.0 * p.accelerators; }, {-1, 0, 0}},
    Factor{"price of an hour",
           [](const RunPoint& p) {
             const auto& price = p.estimate->expense.price;
             return price ? price->usd_per_hour : 1;
           },
           {0, 1, 0}},
    Factor{"power of an accelerator",
           [](const RunPoint& p) {
             const RunFigures& f = p.estimate->expected;
             return f.kilowatt_hours / f.accelerator_hours;
           },
           {0, 0, 1}},
    Factor{"samples to the same loss",
           [](const RunPoint& p) { return p.estimate->expected.samples; },
           {1, 1, 1}},
    Factor{"accelerator-time of a sample", sample_time, {1, 1, 1}},
    Factor{"start-up, evaluation and interruptions",
           [](const RunPoint& p) { return 1 / p.estimate->expected.goodput; },
           {1, 1, 1}}};

int exponent(const Factor& factor, std::string_view objective) {
  const auto& [time, cost, energy] = factor.in;
  if (objective == "time") return time;
  if (objective == "cost") return cost;
  return objective == "cost-x-time" ? time + cost : energy;
}

/// Growth of each part in accelerator-time per sample, as a share of the best run's total; largest
/// first.
std::vector<std::pair<StepPart, double>> part_growth(const RunPoint& best, const RunPoint& other) {
  const auto of_sample = [](const RunPoint& point, std::size_t part) {
    const StepTimes step = point.estimate->step;
    return step.parts[part] / step.total * sample_time(point);
  };
  std::vector<std::pair<StepPart, double>> parts;
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    if (const double growth = (of_sample(other, i) - of_sample(best, i)) / sample_time(best);
        std::abs(growth) >= least)
      parts.emplace_back(step_parts[i].second, growth);
  std::ranges::sort(
      parts, [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  return parts;
}

}  // namespace

std::vector<LostBy> lost_by(const RunPoint& best, const RunPoint& other,
                            std::string_view objective) {
  std::vector<LostBy> lost;
  for (const Factor& factor : factors) {
    const double ratio = std::pow(factor.of(other) / factor.of(best), exponent(factor, objective));
    const bool is_of_steps = factor.of == sample_time;
    if (std::abs(ratio - 1) < least) continue;
    lost.push_back({.name = factor.name, .ratio = ratio});
    if (is_of_steps) lost.back().parts = part_growth(best, other);
  }
  std::ranges::sort(lost, std::greater{}, &LostBy::ratio);
  return lost;
}

}  // namespace answers
}  // namespace tofn
