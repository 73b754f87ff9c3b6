#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/formats/collective_logs/logged_table.hpp"

namespace tofn {
inline namespace formats {

/// Columns of one table of nccl-tests, by the names in its header (`size`, `time`, `#wrong`,
/// `i_min`, ...). A table with both places has names twice, first out of place.
struct NcclTestsColumns {
  std::vector<std::string> names;
  bool only_in_place = false;
};

/// Returns the columns of a header line; absent if the line is not a header. A header has size,
/// then count or type, then other columns with a time (`time`, `cputime`, `tavg`) or busbw. Units
/// may follow names (`tavg(usec)`). A line without a count is a comment.
std::optional<NcclTestsColumns> columns_of_header(const LogLine& line);

/// Returns the columns of a row without a header, by its number of words.
std::optional<NcclTestsColumns> columns_of_row(const std::vector<LogWord>& words);

/// True for `1024`, or `1,024` in groups of three digits.
bool is_whole_size(std::string_view text);

/// True if the words begin like `columns`, otherwise like size, count and type: `8  2  float`.
bool looks_like_row(const std::vector<LogWord>& words, const NcclTestsColumns* columns = nullptr);

struct NcclTestsRow {
  LoggedRow row;
  std::string type;
  std::string flaw;  ///< why it must be left out; otherwise empty
};

/// Reads a row. InputError if the number of words differs from the columns, or a word is not a
/// number.
NcclTestsRow read_row(const LogText& log, const LogLine& line, const std::vector<LogWord>& words,
                      const NcclTestsColumns& columns);

}  // namespace formats
}  // namespace tofn
