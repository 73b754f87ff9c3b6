#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include "sim/core/sourced.hpp"

namespace tofn {

/// Range of valid numbers, and the rule as text for errors.
struct Range {
  double least;
  double most;
  bool is_open;  ///< `least` is outside the range
  std::string_view rule;

  constexpr bool holds(double number) const {
    return (is_open ? number > least : number >= least) && number <= most;
  }
};

namespace range {
inline constexpr double unbounded = std::numeric_limits<double>::infinity();
inline constexpr Range any{-unbounded, unbounded, false, ""};
inline constexpr Range positive{0, unbounded, true, "must be above 0"};
inline constexpr Range not_negative{0, unbounded, false, "must not be negative"};
inline constexpr Range at_least_one{1, unbounded, false, "must be at least 1"};
inline constexpr Range share{0, 1, true, "must be above 0 and at most 1"};
}  // namespace range

/// A number, or a quantity in base units.
template <class T>
constexpr double number_of(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return value.base();
}
template <class T>
double number_of(const Sourced<T>& value) {
  return number_of(value.value);
}

/// Multiplies a value by `factor` and clamps it to the range. Counts are rounded; switches stay as
/// they are.
template <class T>
T scaled(const T& value, double factor, const Range& range) {
  const double number = std::clamp(number_of(value) * factor, range.least, range.most);
  if constexpr (std::is_same_v<T, bool>)
    return value;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::lround(number));
  else
    return T{number};
}

}  // namespace tofn
