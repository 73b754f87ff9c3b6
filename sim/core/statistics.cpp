#include "sim/core/statistics.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

#include "sim/core/normal_share.hpp"

namespace tofn {
namespace {

/// Quantile of values that it reorders: between the two order statistics that it lies between.
double quantile_of(std::vector<double>& values, double q) {
  const double position = q * static_cast<double>(values.size() - 1);
  const double share = position - std::floor(position);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(position);
  std::nth_element(values.begin(), below, values.end());
  const auto above = std::min_element(below + 1, values.end());
  return above == values.end() ? *below : *below + share * (*above - *below);
}

std::vector<double> sorted_copy(Values values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return sorted;
}

/// P(|t| <= tan(angle) sqrt(n)) for n degrees of freedom, as a finite sum (Abramowitz & Stegun,
/// 26.7.3 and 26.7.4).
double student_central_share(double angle, int n) {
  const double cosine = std::cos(angle);
  const bool is_odd = n % 2 == 1;
  double term = is_odd ? cosine : 1;
  double sum = n == 1 ? 0 : term;
  for (int k = is_odd ? 3 : 2; k <= n - 2; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  return is_odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
}

}  // namespace

double mean(Values values) {
  assert(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(Values values) { return quantile(values, 0.5); }

double quantile(Values values, double q) {
  assert(!values.empty() && q >= 0 && q <= 1);
  std::vector<double> copy(values.begin(), values.end());
  return quantile_of(copy, q);
}

double standard_deviation(Values values) {
  assert(!values.empty());
  if (values.size() == 1) return 0;
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double robust_deviation(Values values) {
  constexpr double normal_over_absolute = 1.4826;  // 1 / quantile of the standard normal at 3/4
  const double centre = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - centre));
  return normal_over_absolute * median(distances);
}

double half_width(double deviation) { return std::expm1(ninety_percent_deviations * deviation); }

// Abramowitz & Stegun 26.2.23 is within 4.5e-4; each of Newton's steps squares the remaining error.
double student_deviation(double z, double freedom) {
  const double s = z * z;
  const std::array terms{z * (s + 1) / 4, z * ((5 * s + 16) * s + 3) / 96,
                         z * (((3 * s + 19) * s + 17) * s - 15) / 384,
                         z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160};
  double sum = 0;
  for (auto term = terms.rbegin(); term != terms.rend(); ++term) sum = (sum + *term) / freedom;
  return z + sum;
}

double normal_quantile(double share) {
  share = std::clamp(share, 1e-300, 1 - 0x1p-53);  // the quantile of 0 or 1 is infinite
  const double t = std::sqrt(-2 * std::log(std::min(share, 1 - share)));
  const double tail = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                              (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  double x = share < 0.5 ? -tail : tail;
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    x -= (normal_share_below(x) - share) / density;
  }
  return x;
}

double student_quantile(double share, int degrees_of_freedom) {
  assert(share > 0 && share < 1 && degrees_of_freedom >= 1);
  const double central = std::abs(2 * share - 1);
  double low = 0;
  double high = std::numbers::pi / 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (student_central_share(middle, degrees_of_freedom) < central ? low : high) = middle;
  }
  const double size = std::tan((low + high) / 2) * std::sqrt(degrees_of_freedom);
  return share < 0.5 ? -size : size;
}

double expected_maximum(int n) {
  assert(n >= 1);
  if (n == 1) return 0;
  return normal_quantile((n - 0.375) / (n + 0.25));
}

double olympic_mean(Values values) {
  assert(!values.empty());
  if (values.size() < 3) return mean(values);
  return mean(Values(sorted_copy(values)).subspan(1, values.size() - 2));
}

Interval central_interval(Values values, double share) {
  assert(!values.empty() && share >= 0 && share <= 1);
  std::vector<double> copy(values.begin(), values.end());
  const double tail = (1 - share) / 2;
  const double low = quantile_of(copy, tail);
  return {low, quantile_of(copy, 1 - tail)};
}

Interval ninety_percent_interval(Values values) { return central_interval(values, 0.9); }

Interval sampled_interval(Values samples, double expected) {
  const Interval central = ninety_percent_interval(samples);
  return {std::min(central.low, expected), std::max(central.high, expected)};
}

}  // namespace tofn
