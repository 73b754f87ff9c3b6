#pragma once

#include <span>

namespace tofn {

using Values = std::span<const double>;

struct Interval {
  double low = 0;
  double high = 0;
  bool contains(double value) const { return low <= value && value <= high; }
};

// Every function asks for at least one value.
double mean(Values values);
double median(Values values);

/// The value below which a share q in [0, 1] lies, linear between neighbours (type 7 of Hyndman &
/// Fan, "Sample quantiles in statistical packages", The American Statistician 1996).
double quantile(Values values, double q);

/// With n-1 in the divisor; 0 for a single value.
double standard_deviation(Values values);

/// Standard deviation of normal values by their median absolute deviation, deaf to a few outliers.
double robust_deviation(Values values);

/// 9 of 10 normal values lie within so many standard deviations.
inline constexpr double ninety_percent_deviations = 1.645;

/// Standard normal quantile of a share in (0, 1).
double normal_quantile(double share);

/// Quantile of Student's t for a share in (0, 1), with at least one degree of freedom.
double student_quantile(double share, int degrees_of_freedom);

/// Expected largest of n standard normal values (Blom, "Statistical estimates and transformed
/// beta-variables", 1958): 0 for one value.
double expected_maximum(int n);

/// The mean without one best and one worst value, as MLPerf Training scores its runs; the plain
/// mean below three values.
double olympic_mean(Values values);

/// The interval that leaves (1 - share) / 2 of the values out on each side.
Interval central_interval(Values values, double share);
/// The interval of 9 of 10 values.
Interval ninety_percent_interval(Values values);

}  // namespace tofn
