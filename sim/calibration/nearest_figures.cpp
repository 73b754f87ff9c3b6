#include "sim/calibration/nearest_figures.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <tuple>

#include "sim/calibration/fit_workloads.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace calibration {
namespace {

constexpr int release_not_stated = 5000;

/// Distance of releases in months. A run without a release counts as the newest software. An
/// observation without one is near only to such runs, on the same accelerator.
int release_distance(const std::string& observed, const std::string& wanted) {
  constexpr std::string_view newest = "99.12";
  const auto months = months_between(observed, wanted.empty() ? newest : std::string_view(wanted));
  return months ? std::abs(*months) : release_not_stated;
}
int own_release_distance(const std::string& observed, const std::string& wanted) {
  return observed == wanted ? 0 : release_distance(observed, wanted);
}

int distance(const ReleaseFigure& figure, const RunDescription& run) {
  const std::string& wanted = run.settings.software_release;
  return figure.accelerator == run.cluster->accelerator.name
             ? own_release_distance(figure.release, wanted)
             : release_distance(figure.release, wanted);
}

/// Number of systems that the fit is from.
int systems_of(const AcceleratorFit& fit) {
  int systems = 0;
  for (const StepFit::Release& release : fit.steps.releases) systems += release.observations;
  return systems;
}

}  // namespace

const ReleaseFigure* nearest(const std::vector<ReleaseFigure>& figures, const RunDescription& run) {
  const auto rank = [&](const ReleaseFigure& figure) {
    return std::pair(figure.accelerator != run.cluster->accelerator.name, distance(figure, run));
  };
  const auto best = std::ranges::min_element(
      figures, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return best == figures.end() ? nullptr : &*best;
}

TypicalFigure typical_figure(const std::vector<ReleaseFigure>& figures, const RunDescription& run) {
  constexpr std::size_t enough = 3;
  const Accelerator& chip = run.cluster->accelerator;
  using Ranked = std::tuple<bool, int, bool, const ReleaseFigure*>;
  std::vector<Ranked> ranked;
  for (const ReleaseFigure& figure : figures)
    ranked.emplace_back(figure.vendor != chip.vendor, distance(figure, run),
                        figure.accelerator != chip.name, &figure);
  // Pointers into one vector keep the order of figures that are equally near.
  const ReleaseFigure& nearest = *std::get<3>(*std::ranges::min_element(ranked));
  if (nearest.values.size() >= enough) return {&nearest, nearest.value, nearest.spread};
  std::ranges::sort(ranked);
  std::vector<double> values;
  for (const auto& [is_of_other_vendor, far, is_of_other_chip, figure] : ranked) {
    if (figure != &nearest &&
        (values.size() >= enough || figure->vendor != nearest.vendor || far >= release_not_stated))
      break;
    values.insert(values.end(), figure->values.begin(), figure->values.end());
  }
  return {&nearest, median(values), robust_deviation(values)};
}

Basis figure_basis(const ReleaseFigure& figure, const RunDescription& run) {
  const bool is_observed =
      figure.accelerator == run.cluster->accelerator.name &&
      figure.release == run.settings.software_release &&
      run.plan.accelerators() <= run.cluster->scale_up.domain_accelerators.value;
  return is_observed ? Basis::Interpolated : Basis::Extrapolated;
}

const AcceleratorFit& nearest_fit(const std::vector<AcceleratorFit>& fits, const Accelerator& to) {
  constexpr int least_systems = 5;
  const auto distance = [&](const AcceleratorFit& fit) {
    const Accelerator& from = fit.accelerator;
    if (from.name == to.name) return 0;
    if (systems_of(fit) < least_systems) return 3;
    return share_architecture(from, to) ? 1 : from.vendor == to.vendor ? 2 : 3;
  };
  return *std::ranges::min_element(
      fits, [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
}

const StepFit::Release& nearest_release(const StepFit& fit, const std::string& release) {
  return *std::ranges::min_element(fit.releases, [&](const auto& a, const auto& b) {
    return own_release_distance(a.name, release) < own_release_distance(b.name, release);
  });
}

}  // namespace calibration
}  // namespace tofn
