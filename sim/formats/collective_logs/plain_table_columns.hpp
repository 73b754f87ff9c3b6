#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// Quantity in a column of a published table.
enum class Meaning { Size, Time, AlgorithmBandwidth, BusBandwidth, PassedOver, Unknown };

struct PlainColumn {
  std::string title;
  Meaning meaning = Meaning::Unknown;
  std::string_view unit{};  ///< from the title
  double scale = 1;  ///< bytes, seconds or GB/s of one unit; nccl-tests' unit if none is stated
  bool has_known_unit = true;
  int place = 0;  ///< of its title in the line
};

/// A number as printed, and the value of its unit in bytes, seconds or GB/s.
struct PlainValue {
  LogWord number;
  double scale = 1;
  bool has_own_unit = false;
};

/// Table headers that can be read, for error messages.
inline constexpr std::string_view heads_read =
    "a head such as size_bytes,time_us (of sizes: size, bytes, size_bytes, size(B), size(MiB); of "
    "times with their unit: time_us, time(us), us, microseconds, time_ms, ms; of bandwidths: "
    "algbw, busbw, in GB/s where they state no unit)";

/// Returns the separator of a line's cells: a bar, otherwise a comma or a semicolon, otherwise a
/// blank.
char separator_of(const LogLine& line);

/// Returns the cells of `| 8M | 89.99 |` or `8388608,89.99`, or the words of a line, without the
/// `#` of a comment.
std::vector<LogWord> cells_of(const LogLine& line, char separator);

/// Returns the columns of a title row, which names a size and a time or bandwidth; otherwise empty.
std::vector<PlainColumn> columns_of_titles(const std::vector<LogWord>& cells);

/// Returns the columns `size time algbw busbw` of a row without titles, as cut from nccl-tests'
/// output; empty unless the third value is the first over the second.
std::vector<PlainColumn> columns_of_cut_row(const std::vector<LogWord>& cells);

/// True if every cell of a title row names a size, a time or a bandwidth.
bool are_all_measures(const std::vector<PlainColumn>& columns);

/// True for a time column without a unit and without a bandwidth beside it that would determine the
/// unit.
bool is_of_no_unit(const PlainColumn& time, const std::vector<PlainColumn>& columns);

/// Resolves a single bandwidth whose title does not say which one it is, by the page's own words.
/// InputError for an unknown column or unit, two columns of one quantity, or a table without a
/// measurement.
void settle(const LogText& log, const LogLine& line, std::vector<PlainColumn>& columns);

/// Reads a cell such as `1.44GBps` or `90 us` in its own unit, otherwise in the column's.
PlainValue value_in(const LogWord& cell, const PlainColumn& column);

}  // namespace formats
}  // namespace tofn
