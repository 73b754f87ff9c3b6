#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace formats {

/// Characters that separate words.
inline constexpr std::string_view blanks = " \t\r";

/// A word and the column of its first character in the file.
struct LogWord {
  std::string_view text;
  int column = 0;
};

/// A line without its launcher's prefix (log_prefix.hpp). States that a progress bar overwrites
/// (`\r`) are lines of their own with the same number.
struct LogLine {
  std::string_view text;
  int number = 0;
  int column = 1;             ///< of the first character of `text`
  std::string_view prefix{};  ///< of a launcher; distinguishes ranks

  bool is_comment() const;
  std::vector<LogWord> words() const;  ///< without the `#` of a comment
};

/// A log cut into lines, which refer to the original text.
struct LogText {
  std::string file;
  std::string_view whole;
  std::vector<LogLine> lines;

  Location location(const LogLine& line) const { return {file, line.number, 0}; }
  Location location(const LogLine& line, const LogWord& word) const {
    return {file, line.number, word.column};
  }
  /// True for a last line without a line break, which may be cut off.
  bool lacks_end(const LogLine& line) const {
    return &line == &lines.back() && !whole.ends_with('\n');
  }
  /// Returns the first line that is neither blank nor a comment; nullptr if there is none.
  const LogLine* head() const;
  /// Returns `file:line: text`.
  std::string remark(const LogLine& line, const std::string& text) const;
};

LogText cut_into_lines(std::string_view text, const std::string& file);

/// Returns the text without the sequences that colour a terminal (`ESC [36m`).
std::string without_colours(std::string_view text);

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// True for a letter, a digit or `_`.
inline bool is_of_a_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}
std::string_view trimmed(std::string_view text);
/// Calls `f` with each part of a list.
template <class F>
constexpr void each_part(std::string_view list, std::string_view separator, const F& f) {
  while (!list.empty()) {
    const std::size_t end = list.find(separator);
    f(list.substr(0, end));
    list = end == list.npos ? std::string_view{} : list.substr(end + separator.size());
  }
}
bool is_whole_number(std::string_view text);

/// Parses a whole number from 1 to ten million, of ranks, nodes or GPUs.
std::optional<int> parse_count(std::string_view text);

/// Returns half a unit of the last digit of a number such as `3.50` or `3.5e2`.
double half_unit_of(std::string_view number);

/// Returns the number of a word. InputError if it is not finite and at least 0; `key` names the
/// column.
double number_at(const LogText&, const LogLine&, const LogWord&, std::string_view key);
/// Returns a time printed in microseconds; absent for `N/A`.
std::optional<Seconds> microseconds_at(const LogText&, const LogLine&, const LogWord&);

struct PrintedSize {
  double bytes = 0;
  bool is_assumed = false;  ///< a rounded `65K`, which may mean 65 536 or 65 000; `1 MB`
};

/// Parses a size as published tables print it: `32_768`, `1,024`, `64KiB`, `64 MB`, `8M`, `65K`. K,
/// M, G, KB, MB and GB are binary if that gives a power of two (`256K`; DeepSpeed's `1.0 MB`),
/// otherwise a decimal rounding of the power of two within 2 % (`65K` = 65 536), otherwise decimal
/// (`100M`). Absent if the text is not a size.
std::optional<PrintedSize> parse_printed_size(std::string_view text);

}  // namespace formats
}  // namespace tofn
