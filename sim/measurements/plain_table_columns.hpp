#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/measurements/log_text.hpp"

namespace tofn {
inline namespace measurements {

/// What a column of a published table holds.
enum class Meaning { Size, Time, AlgorithmBandwidth, BusBandwidth, PassedOver, Unknown };

struct PlainColumn {
  std::string title;
  Meaning meaning = Meaning::Unknown;
  std::string_view unit{};  ///< as the title has it
  double scale = 1;         ///< bytes, seconds or GB/s of one unit; as nccl-tests' without one
  bool has_known_unit = true;
  int place = 0;  ///< of its title in the line
};

/// A number as it is printed, and what one of its unit is in bytes, seconds or GB/s.
struct PlainValue {
  LogWord number;
  double scale = 1;
  bool has_own_unit = false;
};

/// Heads of a table that are read, as errors state them.
inline constexpr std::string_view heads_read =
    "a head such as size_bytes,time_us (of sizes: size, bytes, size_bytes, size(B), size(MiB); of "
    "times with their unit: time_us, time(us), us, microseconds, time_ms, ms; of bandwidths: "
    "algbw, busbw, in GB/s where they state no unit)";

/// What stands between the cells of a line: a bar, else a comma or a semicolon, else a blank.
char separator_of(const LogLine& line);

/// The cells of `| 8M | 89.99 |` or `8388608,89.99`, or the words of a line; without the `#` of a
/// comment.
std::vector<LogWord> cells_of(const LogLine& line, char separator);

/// The columns of a title row: one cell says size, another time or bandwidth; or nothing.
std::vector<PlainColumn> columns_of_titles(const std::vector<LogWord>& cells);

/// `size time algbw busbw` without titles, as nccl-tests' rows are cut for a page, where the third
/// is the first over the second; or nothing.
std::vector<PlainColumn> columns_of_cut_row(const std::vector<LogWord>& cells);

/// Whether each cell of a title row says a size, a time or a bandwidth, and none anything else.
bool are_all_measures(const std::vector<PlainColumn>& columns);

/// Of a time that no unit says anything of and no bandwidth is beside, which would tell it.
bool is_of_no_unit(const PlainColumn& time, const std::vector<PlainColumn>& columns);

/// A single bandwidth whose title does not say which is what the page's own words say it is.
/// InputError: a column or a unit that is not read, two columns of one quantity, nothing measured.
void settle(const LogText& log, const LogLine& line, std::vector<PlainColumn>& columns);

/// `1.44GBps`, `90 us`: in the unit of the cell, else in that of the column.
PlainValue value_in(const LogWord& cell, const PlainColumn& column);

}  // namespace measurements
}  // namespace tofn
