#include "sim/formats/text/log_prefix.hpp"

#include <array>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// True for the label of a rank, `[rank0` or `[default0`, and false for a step's, `[batch=1`.
bool is_rank_label(std::string_view label) {
  return label.find('=') == std::string_view::npos && is_digit(label.back());
}

std::size_t launcher_length(std::string_view text) {
  const std::size_t start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return 0;
  if (text[start] == '[') {
    const std::size_t end = text.find(']', start);
    if (end == std::string_view::npos || end + 1 >= text.size()) return 0;
    const bool is_label = text.substr(start, end - start).find_first_of(": \t") ==
                          std::string_view::npos;  // `[2024-05-01 10:00:00] ` is a time stamp
    if (text[end + 1] == ' ') return is_label ? end + 2 : 0;
    if (text[end + 1] == ':')
      return is_label && is_rank_label(text.substr(start, end - start)) ? end + 2 : 0;
    const std::size_t tag = text.find(">:", end);
    return text[end + 1] == '<' && tag != std::string_view::npos ? tag + 2 : 0;
  }
  std::size_t end = start;
  while (end < text.size() && is_digit(text[end])) ++end;
  const bool is_rank = end > start && end + 1 < text.size() && text[end] == ':' &&
                       blanks.find(text[end + 1]) != std::string_view::npos;
  return is_rank ? end + 1 : 0;
}

std::size_t ray_length(std::string_view text) {
  const std::size_t close = text.find(") ");
  if (!text.starts_with('(') || close == std::string_view::npos) return 0;
  return text.substr(0, close).find("pid=") == std::string_view::npos ? 0 : close + 2;
}

/// Length of a name's prefix: `gpu00: ` or `name-1  | `.
std::size_t name_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_of_a_word(text[end]) || text[end] == '-' || text[end] == '.'))
    ++end;
  if (end == 0) return 0;
  if (text.substr(end).starts_with(": ")) return end + 2;
  const std::size_t bar = text.find_first_not_of(' ', end);
  const bool is_bar =
      bar != std::string_view::npos && bar > end && text.substr(bar).starts_with("| ");
  return is_bar ? bar + 2 : 0;
}

/// Streams that a container runtime (CRI) names behind the time of a line: whole lines and parts.
constexpr std::array<std::string_view, 4> container_streams{" stdout F ", " stderr F ",
                                                            " stdout P ", " stderr P "};

/// Length of a time's prefix: `2025-08-01T12:00:00.123Z `, `2025-08-01 12:00:00,123 `,
/// `[2025-08-01 12:00:00] ` or `2025-08-01T12:00:00.123Z stdout F `.
std::size_t time_length(std::string_view text) {
  constexpr std::string_view form = "0000-00-00 00:00:00";
  const bool has_bracket = text.starts_with('[');
  std::size_t at = has_bracket ? 1 : 0;
  if (text.size() < at + form.size()) return 0;
  for (const char each : form) {
    const char c = text[at++];
    const bool fits = each == '0' ? is_digit(c) : each == ' ' ? c == ' ' || c == 'T' : c == each;
    if (!fits) return 0;
  }
  at = text.find_first_not_of(".,0123456789Z+:", at);
  if (has_bracket && at != std::string_view::npos && text[at] == ']') ++at;
  if (at >= text.size() || text[at] != ' ') return 0;
  for (const std::string_view stream : container_streams)
    if (text.substr(at).starts_with(stream)) return at + stream.size();
  return at + 1;
}

/// True for a line of a dump of arguments, such as `  seq_length ........ 8192`.
bool is_of_dump(std::string_view line) {
  line = trimmed(line);
  std::size_t end = 0;
  while (end < line.size() && is_of_a_word(line[end])) ++end;
  return end > 0 && !is_digit(line.front()) && line.substr(end).starts_with(" ....");
}

/// True if a line of a program begins behind that prefix beyond doubt: a comment, or an argument of
/// a dump.
bool is_before_own_text(std::string_view line, std::size_t prefix) {
  if (prefix == 0) return false;
  std::string_view rest = line.substr(prefix);
  rest.remove_prefix(launcher_length(rest));
  return rest.starts_with('#') || is_of_dump(rest);
}

}  // namespace

LinePrefixes::LinePrefixes(std::string_view log) {
  each_part(log, "\n", [&](std::string_view line) {
    has_times_ |= is_before_own_text(line, time_length(line));
    const std::size_t name = name_length(line);
    if (is_before_own_text(line, name)) names_.insert(line.substr(0, name));
  });
}

std::size_t LinePrefixes::length(std::string_view line) const {
  std::size_t outer = ray_length(line);
  if (outer == 0 && has_times_) outer = time_length(line);
  if (outer == 0 && !names_.empty())
    if (const std::size_t name = name_length(line); names_.contains(line.substr(0, name)))
      outer = name;
  return outer + launcher_length(line.substr(outer));
}

}  // namespace formats
}  // namespace tofn
