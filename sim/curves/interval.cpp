#include "sim/curves/interval.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace curves {

namespace {

// Times repeat within 1 to 2 % on one node (repeated MLPerf runs and nccl-tests).
constexpr double repeatability = 0.02;
// 90 % of normal errors lie within 1.645 deviations, which is 2.44 times their median.
constexpr double ninetieth_over_median = 2.44;
// A row's own held-out error counts half, because it was predicted across a gap twice as wide.
constexpr double local_share = 0.5;
// Priors: uncertainty per octave beyond the ends, and of the curve of one or two rows.
constexpr double per_octave = 0.05;
constexpr double few_rows = 0.25;

/// Position of a row, and its errors when held out and when fitted.
struct Residual {
  double octave = 0;
  double held_out = 0;
  double misfit = 0;
};

std::vector<Residual> residuals_of(const CurveForm& form, const Samples& samples) {
  const std::vector<double> held_out = held_out_errors(form, samples.sound);
  std::vector<Residual> residuals;
  const auto add = [&](const Sample& row, double error) {
    const std::vector<double> size{row.size};
    const double fitted = form.predict(samples.sound, size).front();
    const double misfit = std::abs(std::log(fitted / row.time));
    residuals.push_back({std::log2(row.size), std::max(error, misfit), misfit});
  };
  for (std::size_t i = 0; i < samples.sound.size(); ++i) {
    add(samples.sound[i], held_out.empty() ? few_rows : held_out[i]);
  }
  for (const Sample& spike : samples.spikes) add(spike, 0);
  std::ranges::sort(residuals, {}, &Residual::octave);
  return residuals;
}

/// Half width beyond an end: the held-out error of the last two rows, growing with each octave.
double width_beyond(const Residual& end, const Residual& inner, double outside, bool few) {
  const double error = local_share * std::max(end.held_out, inner.held_out);
  return std::hypot(end.misfit, std::min(outside, 1.0) * error,
                    (few ? few_rows : per_octave) * outside);
}

/// Local half width: the misfit at a row, and in the middle of a gap the larger held-out error of
/// both sides.
double local_width(std::span<const Residual> rows, double octave, bool few) {
  const Residual& first = rows.front();
  const Residual& last = rows.back();
  if (octave <= first.octave) {
    const Residual& second = rows.size() > 1 ? rows[1] : first;
    return width_beyond(first, second, first.octave - octave, few);
  }
  if (octave >= last.octave) {
    const Residual& second = rows.size() > 1 ? rows[rows.size() - 2] : last;
    return width_beyond(last, second, octave - last.octave, few);
  }
  const auto right =
      std::ranges::find_if(rows, [&](const Residual& row) { return row.octave >= octave; });
  const auto left = right - 1;
  const double gap = right->octave - left->octave;
  const double share = (octave - left->octave) / gap;
  const double bulge = 4 * share * (1 - share);
  const double misfit = left->misfit + share * (right->misfit - left->misfit);
  return std::hypot(misfit, bulge * local_share * std::max(left->held_out, right->held_out));
}

}  // namespace

std::vector<double> held_out_errors(const CurveForm& form, std::span<const Sample> samples) {
  std::vector<double> errors;
  if (samples.size() < 3) return errors;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::vector<Sample> others(samples.begin(), samples.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<double> size{samples[i].size};
    errors.push_back(std::abs(std::log(form.predict(others, size).front() / samples[i].time)));
  }
  return errors;
}

std::vector<double> interval_widths(const CurveForm& form, const Samples& samples) {
  const std::vector<Residual> rows = residuals_of(form, samples);
  std::vector<double> held_out;
  for (const Residual& row : rows) held_out.push_back(row.held_out);
  const double common = std::hypot(repeatability, ninetieth_over_median * median(held_out));
  const bool few = samples.sound.size() < 3;
  std::vector<double> widths;
  for (int point = 0; point < CostCurve::points; ++point) {
    const double octave = std::log2(CostCurve::size_of(point));
    widths.push_back(std::hypot(common, local_width(rows, octave, few)));
  }
  return widths;
}

}  // namespace curves
}  // namespace tofn
