#pragma once

#include <string>

#include "sim/core/quantity.hpp"
#include "sim/core/statistics.hpp"

// Figures as the tables for people have them; their unit stands in the column's head.

namespace tofn {
inline namespace report {

/// `0.0123`, `1.23`, `12.3`, `123`, `1234`, `12.3k`, `4.56M`: three significant digits or all
/// before the point.
std::string short_figure(double value);

/// `12.3` of 0.123.
std::string percent(double share);
/// `+12.3`
std::string signed_percent(double share);

/// `12.345`
std::string milliseconds(Seconds);
/// `12.345-13.456`
std::string milliseconds(const Interval& seconds);
/// `12.4`: three digits, wherever the point is.
std::string short_milliseconds(Seconds);

/// `12.345`
std::string minutes(Seconds);
/// `12.345-13.456`
std::string minutes(const Interval& seconds);

double gigabytes(Bytes);

}  // namespace report
}  // namespace tofn
