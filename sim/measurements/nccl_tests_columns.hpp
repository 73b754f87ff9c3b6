#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/logged_table.hpp"

namespace tofn {
inline namespace measurements {

/// The columns of one table of nccl-tests, named as its header names them (`size`, `time`,
/// `#wrong`, `i_min`, ...); with both places a name comes twice, the first out of place.
struct NcclTestsColumns {
  std::vector<std::string> names;
  bool only_in_place = false;
};

/// The columns of a header line, or nothing where the line is none: size, then count or type, then
/// others, of which one is a time (`time`, `cputime`, `tavg`) or busbw. Units may stand behind
/// names
/// (`tavg(usec)`). Without a count the line is a comment.
std::optional<NcclTestsColumns> columns_of_header(const LogLine& line);

/// The columns of a row that stands without a header, by how many words it has.
std::optional<NcclTestsColumns> columns_of_row(const std::vector<LogWord>& words);

/// `1024`, or in groups of three digits `1,024`.
bool is_whole_size(std::string_view text);

/// A row begins with what the columns begin with, else with size, count and a type: `8  2  float`.
bool looks_like_row(const std::vector<LogWord>& words, const NcclTestsColumns* columns = nullptr);

struct NcclTestsRow {
  LoggedRow row;
  std::string type;
  std::string flaw;  ///< why it must be left out; empty: nothing
};

/// InputError: another number of words than columns, or a word that is no number.
NcclTestsRow read_row(const LogText& log, const LogLine& line, const std::vector<LogWord>& words,
                      const NcclTestsColumns& columns);

}  // namespace measurements
}  // namespace tofn
