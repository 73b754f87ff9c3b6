#include "sim/measurements/log_text.hpp"

#include <algorithm>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/utf8.hpp"

namespace tofn {
inline namespace measurements {
namespace {

constexpr std::string_view blanks = " \t\r";

int characters(std::string_view text) { return static_cast<int>(character_count(text)); }

/// Length of a launcher's prefix: `0: ` (srun -l), `[1,0]<stdout>:` (Open MPI), `[0] ` (MPICH).
std::size_t prefix_length(std::string_view text) {
  const std::size_t start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return 0;
  if (text[start] == '[') {
    const std::size_t end = text.find(']', start);
    if (end == std::string_view::npos || end + 1 >= text.size()) return 0;
    const bool is_label = text.substr(start, end - start).find_first_of(": \t") ==
                          std::string_view::npos;  // `[2024-05-01 10:00:00] ` is a time stamp
    if (text[end + 1] == ' ') return is_label ? end + 2 : 0;
    const std::size_t tag = text.find(">:", end);
    return text[end + 1] == '<' && tag != std::string_view::npos ? tag + 2 : 0;
  }
  std::size_t end = start;
  while (end < text.size() && is_digit(text[end])) ++end;
  const bool is_rank = end > start && end + 1 < text.size() && text[end] == ':' &&
                       blanks.find(text[end + 1]) != std::string_view::npos;
  return is_rank ? end + 1 : 0;
}

}  // namespace

bool LogLine::is_comment() const { return trimmed(text).starts_with('#'); }

std::vector<LogWord> LogLine::words() const {
  std::vector<LogWord> found;
  std::size_t position = text.find_first_not_of(blanks);
  // `#bytes` of IMB is a word, the `#` of a comment is none.
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

std::string LogText::remark(const LogLine& line, const std::string& text) const {
  return to_text(location(line)) + ": " + text;
}

namespace {

LogLine line_of(std::string_view text, int number, int column) {
  const std::size_t prefix = prefix_length(text);
  return {.text = text.substr(prefix),
          .number = number,
          .column = column + characters(text.substr(0, prefix)),
          .prefix = text.substr(0, prefix)};
}

/// A line and what it was before it was overwritten.
void append_lines(std::string_view text, int number, std::vector<LogLine>& lines) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  int column = 1;
  for (std::size_t end = text.find('\r'); end != std::string_view::npos; end = text.find('\r')) {
    lines.push_back(line_of(text.substr(0, end), number, column));
    column += characters(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  lines.push_back(line_of(text, number, column));
}

}  // namespace

LogText cut_into_lines(std::string_view text, const std::string& file) {
  LogText log{.file = file, .whole = text, .lines = {}};
  text = without_byte_order_mark(text);
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    append_lines(text.substr(0, end), number, log.lines);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return log;
}

std::string without_colours(std::string_view text) {
  constexpr std::string_view start = "\x1b[";
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = text.find(start); at != std::string_view::npos; at = text.find(start)) {
    plain += text.substr(0, at);
    const std::size_t end = text.find_first_not_of("0123456789;?", at + start.size());
    text.remove_prefix(
        std::min(end == std::string_view::npos ? text.size() : end + 1, text.size()));
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
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::optional<int> parse_count(std::string_view text) {
  constexpr long long most = 10'000'000;
  long long value = 0;
  if (!is_whole_number(text) || !parse_integer(text, value) || value < 1 || value > most)
    return std::nullopt;
  return static_cast<int>(value);
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

}  // namespace measurements
}  // namespace tofn
