#include "sim/training/run_estimate.hpp"

#include <algorithm>

namespace tofn {
inline namespace training {

std::optional<double> RunEstimate::value(const RunFigure& figure) const {
  if (std::find(unknown.begin(), unknown.end(), figure.value) != unknown.end()) return {};
  if (figure.value == &RunFigures::usd && !expense.price) return {};
  return expected.*figure.value;
}

std::optional<double> RunEstimate::usual(const RunFigure& figure) const {
  const auto simulated = value(figure);
  if (!simulated || overrun.is_none()) return simulated;
  if (figure.rests_on == RestsOn::Power) return *simulated * energy.median;
  const bool is_of_time = figure.rests_on == RestsOn::Run || figure.rests_on == RestsOn::Price;
  return is_of_time ? *simulated * time.median : *simulated;
}

Interval RunEstimate::interval(const RunFigure& figure) const {
  const double value = expected.*figure.value;
  const auto of = [value](const DrawnSpread& spread) {
    return open_where_endless({value * spread.interval.low, value * spread.interval.high}, value);
  };
  switch (figure.rests_on) {
    case RestsOn::Run:
    case RestsOn::Price:
      return of(time);
    case RestsOn::Power:
      return of(energy);
    case RestsOn::Losses:
      return figure.value == &RunFigures::goodput ? goodput.interval
                                                  : open_where_endless(lost.interval, value);
    case RestsOn::Request:
    case RestsOn::Step:
    case RestsOn::Assumption:
      break;
  }
  return {std::min(faster.*figure.value, slower.*figure.value),
          std::max(faster.*figure.value, slower.*figure.value)};
}

double RunEstimate::drawn(double RunFigures::*figure, const JobDraw& draw) const {
  const bool is_of_power =
      figure == &RunFigures::kilowatt_hours || figure == &RunFigures::co2_tonnes;
  return expected.*figure * (is_of_power ? draw.energy : draw.time);
}

std::string_view RunEstimate::basis_of(const RunFigure& figure) const {
  for (const StatedBasis& stated : bases)
    if (stated.figure == figure.value) return to_text(stated.basis);
  switch (figure.rests_on) {
    case RestsOn::Request:
      return "given";
    case RestsOn::Price:
      return to_text(expense.cost_basis);
    case RestsOn::Power:
    case RestsOn::Losses:
    case RestsOn::Assumption:
      return to_text(Basis::Assumed);
    case RestsOn::Run:
      return to_text(basis);
    case RestsOn::Step:
      break;
  }
  return to_text(step_basis);
}

}  // namespace training
}  // namespace tofn
