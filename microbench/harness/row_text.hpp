#pragma once

#include <string>
#include <string_view>

#include "sim/core/record.hpp"

namespace tofn::bench {

/// Columns shared by all benchmarks' tables: time of a call, its 95 % interval, the interval of a
/// repeated run (95 %), samples, and the number of outliers. Right-aligned, with fixed widths.
std::string time_headings();
std::string time_units();
std::string time_columns(const RecordPoint&);

/// Four significant digits, without an exponent if they fit: `0.184`, `12.35`, `10480`.
std::string short_number(double value);

/// The flags except for outliers, which have their own column.
std::string notes(const RecordPoint&);

/// The figure with that name, or `-`.
std::string figure(const RecordPoint&, std::string_view name);

}  // namespace tofn::bench
