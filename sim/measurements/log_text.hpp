#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {

/// A word and the column of its first character in the file.
struct LogWord {
  std::string_view text;
  int column = 0;
};

/// A line without the prefixes that launchers put before it (`0: `, `[1,0]<stdout>:`).
struct LogLine {
  std::string_view text;
  int number = 0;
  int column = 1;  ///< of the first character of `text`

  bool is_comment() const;
  std::vector<LogWord> words() const;  ///< without the `#` of a comment
};

/// A log cut into lines. It refers to the text that it was cut from.
struct LogText {
  std::string file;
  std::string_view whole;
  std::vector<LogLine> lines;

  Location location(const LogLine& line) const { return {file, line.number, 0}; }
  Location location(const LogLine& line, const LogWord& word) const {
    return {file, line.number, word.column};
  }
  /// `file:line: text`
  std::string remark(const LogLine& line, const std::string& text) const;
};

LogText cut_into_lines(std::string_view text, const std::string& file);

std::string lower_case(std::string_view text);
std::string_view trimmed(std::string_view text);
bool is_whole_number(std::string_view text);

/// A whole number from 1 to ten million: of ranks, nodes, GPUs.
std::optional<int> parse_count(std::string_view text);

/// The number of the word. InputError: not a finite number of at least 0; `key` names the column.
double number_at(const LogText&, const LogLine&, const LogWord&, std::string_view key);
/// A time that was printed in microseconds; absent for `N/A`.
std::optional<Seconds> microseconds_at(const LogText&, const LogLine&, const LogWord&);

}  // namespace tofn
