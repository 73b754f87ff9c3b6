#pragma once

#include <string>
#include <string_view>

#include "sim/core/record.hpp"

namespace tofn::bench {

/// Columns that the tables of all benchmarks share: the time of a call, its 95 % interval, how far
/// a repeat run may lie (95 %), samples, and how many of them are outliers. Right-aligned, equally
/// wide.
std::string time_headings();
std::string time_units();
std::string time_columns(const RecordPoint&);

/// Four significant digits without an exponent where they fit: `0.184`, `12.35`, `10480`.
std::string short_number(double value);

/// The flags but outliers, which have a column of their own.
std::string notes(const RecordPoint&);

/// The figure of that name, or `-`.
std::string figure(const RecordPoint&, std::string_view name);

}  // namespace tofn::bench
