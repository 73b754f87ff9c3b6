#include <algorithm>
#include <cmath>

#include "sim/calibration/fit_workloads.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace calibration {
namespace {

double spread_of(Values values, double centre, bool relative) {
  const double spread = robust_deviation(values);
  return relative ? spread / std::max(std::abs(centre), 1e-12) : spread;
}

}  // namespace

std::vector<ReleaseFigure> release_figures(std::span<const LabelledValue> values, bool relative) {
  std::vector<ReleaseFigure> figures;
  for (const LabelledValue& each : values) {
    const std::string& accelerator = each.seen->run.cluster->accelerator.name;
    const std::string& release = each.seen->run.settings.software_release;
    const auto place = std::ranges::find_if(figures, [&](const auto& figure) {
      return figure.accelerator == accelerator && figure.release == release;
    });
    const auto index = static_cast<std::size_t>(place - figures.begin());
    if (place == figures.end()) {
      figures.push_back({.accelerator = accelerator,
                         .release = release,
                         .vendor = each.seen->run.cluster->accelerator.vendor});
    }
    figures[index].values.push_back(each.value);
  }
  for (ReleaseFigure& figure : figures) {
    figure.value = median(figure.values);
    figure.spread = spread_of(figure.values, figure.value, relative);
  }
  return figures;
}

}  // namespace calibration
}  // namespace tofn
