#include "sim/training/run_estimate.hpp"

#include <algorithm>

namespace tofn {
inline namespace training {

const RunFigure& RunEstimate::time_figure() const {
  return figure_of(is_scored ? &RunFigures::score_minutes : &RunFigures::days);
}

Seconds RunEstimate::duration() const {
  return Seconds{is_scored ? expected.score_minutes * 60 : expected.seconds};
}

std::optional<double> RunEstimate::value(const RunFigure& figure) const {
  if (std::ranges::find(unknown, figure.value) != unknown.end()) return {};
  if (figure.value == &RunFigures::usd && !expense.price) return {};
  return expected.*figure.value;
}

std::optional<double> RunEstimate::typical(const RunFigure& figure) const {
  const auto simulated = value(figure);
  if (!simulated || overrun.is_none()) return simulated;
  if (figure.sampled == &RunSample::energy)
    return *simulated * spread_of(samples, &RunSample::energy).median;
  return figure.sampled == &RunSample::time ? *simulated * time.median : *simulated;
}

double RunEstimate::sampled(const RunFigure& figure, const RunSample& sample) const {
  const double value = expected.*figure.value;
  switch (figure.follows) {
    case Follows::Nothing:
      break;
    case Follows::Product:
      return value * sample.*figure.sampled;
    case Follows::Ratio:
      return value / sample.*figure.sampled;
    case Follows::Member:
      return sample.*figure.sampled;
    case Follows::ExtraSamples:  // batch / (batch + critical batch)
      return value / (value + (1 - value) * sample.*figure.sampled);
  }
  return value;
}

Interval RunEstimate::interval(const RunFigure& figure) const {
  const double value = expected.*figure.value;
  if (figure.sampled == &RunSample::time)
    return open_where_endless({value * time.interval.low, value * time.interval.high}, value);
  if (figure.follows == Follows::Nothing || samples.empty()) return {value, value};
  std::vector<double> values;
  values.reserve(samples.size());
  for (const RunSample& sample : samples) values.push_back(sampled(figure, sample));
  // A small figure may be known within a factor of hundreds; totals of a run without an end are
  // open.
  const bool grows = figure.follows == Follows::Product && time.interval.high >= longest_told;
  return open_where_endless(sampled_interval(values, value), value, grows ? longest_told : endless);
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
