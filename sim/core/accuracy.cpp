#include "sim/core/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tofn {
namespace {

constexpr double normal_freedom = std::numeric_limits<double>::infinity();

double deviations_of(double coverage, double freedom) {
  return student_deviation(normal_quantile((1 + coverage) / 2), freedom);
}

double score_of(double measured, double low, double high) {
  const double outside = std::max({0.0, low - measured, measured - high});
  return high - low + 20 * outside;
}

double log_error(const Scored& each) { return std::log(each.measured / each.predicted); }

Held held_by(std::span<const Scored> all) {
  Held held;
  const auto count = static_cast<double>(all.size());
  std::vector<double> widths;
  std::vector<double> errors;
  for (const Scored& each : all) {
    for (std::size_t i = 0; i < coverages.size(); ++i)
      held.shares[i] += (*each.intervals)[i].contains(each.measured) ? 1 / count : 0;
    const Interval& ninety = each.intervals->back();
    widths.push_back(std::sqrt(ninety.high / ninety.low) - 1);
    errors.push_back(std::abs(log_error(each)));
    held.score +=
        score_of(std::log(each.measured), std::log(ninety.low), std::log(ninety.high)) / count;
  }
  held.half_width = median(widths);
  const double width = quantile(errors, coverages.back());
  for (const Scored& each : all)
    held.score_of_one_width += score_of(log_error(each), -width, width) / count;
  return held;
}

}  // namespace

Scored log_normal(double measured, double predicted, double deviation) {
  return log_student(measured, predicted, deviation, normal_freedom);
}

Scored log_student(double measured, double predicted, double deviation, double freedom) {
  Scored scored{.measured = measured, .predicted = predicted};
  scored.intervals.emplace();
  for (std::size_t i = 0; i < coverages.size(); ++i) {
    const double factor = std::exp(deviations_of(coverages[i], freedom) * deviation);
    (*scored.intervals)[i] = {predicted / factor, predicted * factor};
  }
  return scored;
}

Scored within(double measured, double predicted, const Interval& ninety) {
  Scored scored{.measured = measured, .predicted = predicted};
  scored.intervals.emplace();
  for (std::size_t i = 0; i < coverages.size(); ++i) {
    const double share = deviations_of(coverages[i], normal_freedom) /
                         deviations_of(coverages.back(), normal_freedom);
    (*scored.intervals)[i] = {predicted * std::pow(ninety.low / predicted, share),
                              predicted * std::pow(ninety.high / predicted, share)};
  }
  scored.intervals->back() = ninety;  // exactly the given interval, without rounding
  return scored;
}

Accuracy accuracy_of(std::span<const double> errors) {
  if (errors.empty()) return {};
  std::vector<double> absolute;
  for (const double error : errors) absolute.push_back(std::abs(error));
  return {.count = errors.size(),
          .mean = mean(absolute),
          .median = median(absolute),
          .ninetieth = quantile(absolute, 0.9),
          .worst = *std::ranges::max_element(absolute),
          .bias = mean(errors)};
}

Accuracy accuracy_of(std::span<const Scored> all) {
  std::vector<double> errors;
  for (const Scored& each : all) errors.push_back(each.error());
  Accuracy accuracy = accuracy_of(errors);
  const auto has_intervals = [](const Scored& each) { return each.intervals.has_value(); };
  if (!all.empty() && std::ranges::all_of(all, has_intervals)) accuracy.held = held_by(all);
  return accuracy;
}

}  // namespace tofn
