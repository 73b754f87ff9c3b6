#include "sim/formats/text/log_text.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/utf8.hpp"
#include "sim/formats/text/log_prefix.hpp"

namespace tofn {
inline namespace formats {
namespace {

int characters(std::string_view text) { return static_cast<int>(character_count(text)); }

LogLine line_of(std::string_view text, int number, int column, const LinePrefixes& prefixes) {
  const std::size_t prefix = prefixes.length(text);
  return {.text = text.substr(prefix),
          .number = number,
          .column = column + characters(text.substr(0, prefix)),
          .prefix = text.substr(0, prefix)};
}

/// Appends a line, preceded by the states that it overwrote.
void append_lines(std::string_view text, int number, const LinePrefixes& prefixes,
                  std::vector<LogLine>& lines) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  int column = 1;
  for (std::size_t end = text.find('\r'); end != std::string_view::npos; end = text.find('\r')) {
    lines.push_back(line_of(text.substr(0, end), number, column, prefixes));
    column += characters(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  lines.push_back(line_of(text, number, column, prefixes));
}

}  // namespace

bool LogLine::is_comment() const { return trimmed(text).starts_with('#'); }

std::vector<LogWord> LogLine::words() const {
  std::vector<LogWord> found;
  std::size_t position = text.find_first_not_of(blanks);
  // `#bytes` of IMB is a word, but the `#` of a comment is not.
  if (position != std::string_view::npos && text[position] == '#' && position + 1 < text.size() &&
      blanks.find(text[position + 1]) != std::string_view::npos)
    position = text.find_first_not_of(blanks, position + 1);
  int at = column;
  std::size_t counted = 0;
  while (position != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(blanks, position), text.size());
    at += characters(text.substr(counted, position - counted));
    counted = position;
    found.push_back({text.substr(position, end - position), at});
    position = text.find_first_not_of(blanks, end);
  }
  return found;
}

const LogLine* LogText::head() const {
  for (const LogLine& line : lines)
    if (!line.is_comment() && !trimmed(line.text).empty()) return &line;
  return nullptr;
}

std::string LogText::remark(const LogLine& line, const std::string& text) const {
  return to_text(location(line)) + ": " + text;
}

LogText cut_into_lines(std::string_view text, const std::string& file) {
  LogText log{.file = file, .whole = text, .lines = {}};
  text = without_byte_order_mark(text);
  const LinePrefixes prefixes(text);
  int number = 0;
  each_part(text, "\n",
            [&](std::string_view line) { append_lines(line, ++number, prefixes, log.lines); });
  return log;
}

std::string without_colours(std::string_view text) {
  constexpr std::string_view start = "\x1b[";
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = text.find(start); at != std::string_view::npos; at = text.find(start)) {
    plain += text.substr(0, at);
    const std::size_t end = text.find_first_not_of("0123456789;?", at + start.size());
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  plain += text;
  return plain;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

std::optional<int> parse_count(std::string_view text) {
  constexpr long long most = 10'000'000;
  long long value = 0;
  if (!is_whole_number(text) || !parse_integer(text, value) || value < 1 || value > most)
    return std::nullopt;
  return static_cast<int>(value);
}

double half_unit_of(std::string_view number) {
  const std::string_view mantissa = number.substr(0, number.find_first_of("eE"));
  const std::size_t point = mantissa.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : mantissa.size() - point - 1;
  double exponent = 0;
  if (mantissa.size() < number.size()) parse_number(number.substr(mantissa.size() + 1), exponent);
  return 0.5 * std::pow(10, exponent - static_cast<double>(decimals));
}

double number_at(const LogText& log, const LogLine& line, const LogWord& word,
                 std::string_view key) {
  double value = 0;
  if (!parse_number(word.text, value) || value < 0)
    throw InputError(log.location(line, word), key,
                     "must be a number of at least 0, is '" + shortened(word.text) + "'");
  return value;
}

std::optional<Seconds> microseconds_at(const LogText& log, const LogLine& line,
                                       const LogWord& word) {
  if (word.text == "N/A") return std::nullopt;
  return Seconds{number_at(log, line, word, "time") * 1e-6};
}

}  // namespace formats
}  // namespace tofn
