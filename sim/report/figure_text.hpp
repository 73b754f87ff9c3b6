#pragma once

#include <string>

#include "sim/core/quantity.hpp"
#include "sim/core/statistics.hpp"

// Figures as text in tables for people; the head of the column states the unit.

namespace tofn {
inline namespace report {

/// Number with three significant digits, or all digits before the point: `0.0123`, `1.23`, `12.3`,
/// `123`, `1234`, `12.3k`, `4.56M`.
std::string short_figure(double value);

/// A share in %: `12.3` for 0.123.
std::string percent(double share);
/// A share in whole %: `12` for 0.123.
std::string whole_percent(double share);
/// A share in % with its sign: `+12.3`.
std::string signed_percent(double share);

/// Milliseconds with three decimals: `12.345`.
std::string milliseconds(Seconds);
/// Milliseconds with three significant digits: `12.4`.
std::string short_milliseconds(Seconds);

/// Samples, in millions if there are as many: `1234`, `1.234M`.
std::string samples_text(double samples);

double gigabytes(Bytes);

}  // namespace report
}  // namespace tofn
