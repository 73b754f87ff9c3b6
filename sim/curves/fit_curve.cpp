#include "sim/curves/fit_curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/core/statistics.hpp"
#include "sim/curves/forms.hpp"
#include "sim/curves/interval.hpp"

namespace tofn {
inline namespace curves {

namespace {

// Held-out rows leave gaps twice as wide, in which a line through both sides is off by up to four
// times as much. Another form must beat interpolation by more than that handicap.
constexpr double handicap = 4;

const CurveForm& choose(const std::vector<HeldOutError>& errors) {
  const auto forms = curve_forms();
  std::size_t best = 0;
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double bar = best == 0 ? errors[0].median / handicap : errors[best].median;
    if (errors[i].median < bar) best = i;
  }
  return forms[best];
}

}  // namespace

CurveFit fit_curve(const CollectiveTable& table) {
  Samples samples = samples_of(table);
  std::vector<HeldOutError> candidates;
  for (const CurveForm& form : curve_forms()) {
    const std::vector<double> errors = held_out_errors(form, samples.sound);
    if (!errors.empty()) candidates.push_back({form.name, median(errors), quantile(errors, 0.9)});
  }
  const CurveForm& form = choose(candidates);

  std::vector<double> sizes;
  for (int point = 0; point < CostCurve::points; ++point) {
    sizes.push_back(CostCurve::size_of(point));
  }
  const std::vector<double> times = form.predict(samples.sound, sizes);
  const std::vector<double> widths = interval_widths(form, samples);
  std::vector<CurvePoint> points;
  for (std::size_t i = 0; i < times.size(); ++i) points.push_back({std::log(times[i]), widths[i]});
  std::vector<double> measured;
  for (const Sample& sample : samples.sound) measured.push_back(sample.size);
  return {CostCurve(std::move(points), std::move(measured)), form.name, std::move(candidates),
          std::move(samples.remarks)};
}

}  // namespace curves
}  // namespace tofn
