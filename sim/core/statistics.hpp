#pragma once

#include <span>

namespace tofn {

using Values = std::span<const double>;

struct Interval {
  double low = 0;
  double high = 0;
  bool contains(double value) const { return low <= value && value <= high; }
};

// Functions of values below need at least one value.
double mean(Values values);
double median(Values values);

/// Value below which a share q in [0, 1] lies, linear between neighbours (type 7 of Hyndman & Fan,
/// "Sample quantiles in statistical packages", The American Statistician 1996).
double quantile(Values values, double q);

/// Standard deviation with n-1 in the divisor; 0 for a single value.
double standard_deviation(Values values);

/// Standard deviation of normal values, estimated by their median absolute deviation, so that a few
/// outliers do not matter.
double robust_deviation(Values values);

/// Standard deviations within which 9 of 10 normal values lie.
inline constexpr double ninety_percent_deviations = 1.645;
/// Half of the 90 % interval, as a share, of a value whose logarithm has this deviation.
double half_width(double deviation);

/// Standard normal quantile of a share in (0, 1).
double normal_quantile(double share);
/// Value of Student's t with these degrees of freedom (at least 3) at the share of a standard
/// normal value z: to 0.2 % up to three deviations, lower by then (Abramowitz and Stegun, Handbook
/// of Mathematical Functions, 26.7.5).
double student_deviation(double z, double freedom);

/// Quantile of Student's t for a share in (0, 1), with at least one degree of freedom.
double student_quantile(double share, int degrees_of_freedom);

/// Expected largest of n standard normal values (Blom, "Statistical estimates and transformed
/// beta-variables", 1958); 0 for one value.
double expected_maximum(int n);

/// Mean without one best and one worst value, as MLPerf Training scores its runs; the plain mean
/// for fewer than three values.
double olympic_mean(Values values);

/// Interval that leaves out (1 - share) / 2 of the values on each side.
Interval central_interval(Values values, double share);
/// Interval of 9 of 10 values.
Interval ninety_percent_interval(Values values);
/// Interval of 9 of 10 samples of a figure, widened to hold its expected value, beside which all
/// samples may lie: benchmarks end at an evaluation, and their expected end lies between two.
Interval sampled_interval(Values samples, double expected);

}  // namespace tofn
