#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "sim/core/statistics.hpp"

namespace tofn {
/// Nominal coverages of intervals, as shares of measurements.
inline constexpr std::array coverages{0.5, 0.8, 0.9};

/// A measured figure beside its prediction, both above 0.
struct Scored {
  double measured = 0;
  double predicted = 0;
  /// Intervals for each of `coverages`; absent if the prediction has none.
  std::optional<std::array<Interval, coverages.size()>> intervals{};

  double error() const { return predicted / measured - 1; }
};

/// Adds intervals of a prediction whose logarithm scatters by this deviation: normally, or as
/// Student's t with these degrees of freedom.
Scored log_normal(double measured, double predicted, double deviation);
Scored log_student(double measured, double predicted, double deviation, double freedom);
/// Adds intervals scaled from a 90 % one. Their ends are in proportion on a logarithmic scale.
Scored within(double measured, double predicted, const Interval& ninety);

/// Quality of intervals.
struct Held {
  std::array<double, coverages.size()> shares{};  ///< measurements inside, for each of `coverages`
  double half_width = 0;  ///< median over the 90 % intervals of sqrt(high / low) - 1
  /// Mean interval score of the 90 % intervals of the logarithm: the width, plus 20 times the
  /// distance by which a measurement lies outside (Gneiting and Raftery, "Strictly proper scoring
  /// rules", 2007). Lower is better.
  double score = 0;
  /// Score if all intervals had the same width, which nine of ten of these errors do not exceed.
  double score_of_one_width = 0;
};

/// Summary of errors, predicted / measured - 1. All figures but the bias use absolute errors.
struct Accuracy {
  std::size_t count = 0;
  double mean = 0;
  double median = 0;
  double ninetieth = 0;  ///< percentile
  double worst = 0;
  double bias = 0;             ///< signed mean
  std::optional<Held> held{};  ///< if all predictions have intervals
};
/// Summarises errors; all figures are zero if there are none.
Accuracy accuracy_of(std::span<const double> errors);
Accuracy accuracy_of(std::span<const Scored>);

}  // namespace tofn
