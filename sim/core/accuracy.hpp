#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "sim/core/statistics.hpp"

namespace tofn {
/// Shares of measurements that intervals promise to hold.
inline constexpr std::array coverages{0.5, 0.8, 0.9};

/// A measured figure beside its prediction, both above 0.
struct Scored {
  double measured = 0;
  double predicted = 0;
  /// One for each of `coverages`; absent: the prediction has none.
  std::optional<std::array<Interval, coverages.size()>> intervals{};

  double error() const { return predicted / measured - 1; }
};

/// With intervals of a log-normal prediction whose logarithm has this standard deviation.
Scored log_normal(double measured, double predicted, double deviation);
/// With intervals of a 90 % one, whose ends the others share out by logarithms.
Scored within(double measured, double predicted, const Interval& ninety);

/// How well intervals hold.
struct Held {
  std::array<double, coverages.size()> shares{};  ///< of measurements inside
  double half_width = 0;  ///< median of the 90 % interval's, sqrt(high / low) - 1
  /// Mean of the 90 % interval of the logarithm: its width, and what lies outside times 20
  /// (Gneiting and Raftery, "Strictly proper scoring rules", 2007). Lower is better.
  double score = 0;
  /// The same were all intervals as wide: by the width that nine of ten of these errors keep.
  double score_of_one_width = 0;
};

/// Errors are predicted / measured - 1; all but the bias without their sign.
struct Accuracy {
  std::size_t count = 0;
  double mean = 0;
  double median = 0;
  double ninetieth = 0;  ///< percentile
  double worst = 0;
  double bias = 0;             ///< signed mean
  std::optional<Held> held{};  ///< where all have intervals
};
/// All zero without any.
Accuracy accuracy_of(std::span<const double> errors);
Accuracy accuracy_of(std::span<const Scored>);

}  // namespace tofn
