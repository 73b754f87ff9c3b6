#include <algorithm>

#include "sim/training/job.hpp"

namespace tofn {
inline namespace training {

std::optional<double> JobEstimate::value(const JobFigure& figure) const {
  if (figure.value == &JobFigures::usd && !expense.price) return {};
  if (figure.value == &JobFigures::batch_price && !job.critical_batch) return {};
  return expected.*figure.value;
}

std::optional<double> JobEstimate::usual(const JobFigure& figure) const {
  const auto simulated = value(figure);
  if (!simulated || job.overrun.is_none()) return simulated;
  if (figure.rests_on == RestsOn::Power) return *simulated * energy.median;
  const bool is_of_time = figure.rests_on == RestsOn::Run || figure.rests_on == RestsOn::Price;
  return is_of_time ? *simulated * time.median : *simulated;
}

Interval JobEstimate::interval(const JobFigure& figure) const {
  const double value = expected.*figure.value;
  const auto of = [value](const DrawnSpread& spread) {
    return Interval{value * spread.interval.low, value * spread.interval.high};
  };
  switch (figure.rests_on) {
    case RestsOn::Run:
    case RestsOn::Price:
      return of(time);
    case RestsOn::Power:
      return of(energy);
    case RestsOn::Losses:
      return figure.value == &JobFigures::goodput ? goodput.interval : lost.interval;
    case RestsOn::Request:
    case RestsOn::Step:
    case RestsOn::Assumption:
      break;
  }
  return {std::min(faster.*figure.value, slower.*figure.value),
          std::max(faster.*figure.value, slower.*figure.value)};
}

double JobEstimate::drawn(double JobFigures::*figure, const JobDraw& draw) const {
  const bool is_of_power =
      figure == &JobFigures::kilowatt_hours || figure == &JobFigures::co2_tonnes;
  return expected.*figure * (is_of_power ? draw.energy : draw.time);
}

std::string_view JobEstimate::basis(const JobFigure& figure) const {
  switch (figure.rests_on) {
    case RestsOn::Request:
      return "given";
    case RestsOn::Price:
      return to_text(expense.cost_basis);
    case RestsOn::Power:
    case RestsOn::Losses:
    case RestsOn::Assumption:
      return to_text(Basis::Assumed);
    case RestsOn::Step:
    case RestsOn::Run:
      break;
  }
  Basis weakest = Basis::Measured;
  for (const JobPhase& phase : job.phases)
    weakest = std::max(weakest, phase.step.times.cost().basis);
  return to_text(weakest);
}

}  // namespace training
}  // namespace tofn
