#include "sim/formats/step_logs/step_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

using L = StepLine;

/// Index of the words as separate words. A JSON key, `step":`, also matches a key of a Python dict.
std::size_t place_of(std::string_view text, std::string_view words) {
  constexpr std::string_view key_end = "\":";
  const bool is_key = words.ends_with(key_end);
  const std::string_view name = is_key ? words.substr(0, words.size() - key_end.size()) : words;
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + words.size();
    const std::string_view behind = text.substr(at + name.size()).substr(0, key_end.size());
    if (is_key && behind != key_end && behind != "':") continue;
    const bool begins = at == 0 || !is_of_a_word(words.front()) || !is_of_a_word(text[at - 1]);
    const bool ends = end >= text.size() || !is_of_a_word(words.back()) || !is_of_a_word(text[end]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

/// Splits `6,785` off `6,785  mfu`, or `11.5` off `11.5K |`: `digits` has no thousands' commas, and
/// the rest is returned.
std::string_view take_number(std::string_view text, std::string& digits) {
  std::size_t end = 0;
  while (end < text.size()) {
    const char c = text[end];
    const bool is_comma = is_thousands_comma(text, end);
    const bool is_sign =
        (c == '-' || c == '+') && (end == 0 || text[end - 1] == 'e' || text[end - 1] == 'E');
    const bool is_exponent =
        (c == 'e' || c == 'E') && end > 0 && end + 1 < text.size() &&
        (is_digit(text[end + 1]) || text[end + 1] == '-' || text[end + 1] == '+');
    if (!is_digit(c) && c != '.' && !is_comma && !is_sign && !is_exponent) break;
    if (!is_comma) digits += c;
    ++end;
  }
  return text.substr(end);
}

/// Multiplier of `11.5K |`; 1 if a unit follows (`59.65GB`).
double multiplier_of(std::string_view rest) {
  constexpr std::array<std::pair<char, double>, 4> letters{
      {{'K', 1e3}, {'M', 1e6}, {'B', 1e9}, {'G', 1e9}}};
  if (rest.empty() || (rest.size() > 1 && is_of_a_word(rest[1]))) return 1;
  for (const auto& [letter, factor] : letters)
    if (rest.front() == letter) return factor;
  return 1;
}

/// Half a unit of the last digit, of `3.50` or `3.5e2`. Figures with a multiplier (nanotron's
/// `1.02K`, `2K`) have three digits, of which trailing zeros are not printed.
double rounding_of(std::string_view digits, double value, double multiplier) {
  return multiplier > 1 && value > 0
             ? 0.5 * std::pow(10, std::floor(std::log10(value)) - 2) * multiplier
             : half_unit_of(digits);
}

struct PrintedNumber {
  double value = 0;
  double rounding = 0;        ///< half a unit of its last digit
  std::string_view behind{};  ///< text after its digits
};

std::optional<PrintedNumber> number_in(std::string_view text) {
  std::string digits;
  const std::string_view behind = take_number(text, digits);
  double value = 0;
  if (!parse_number(digits, value)) return {};
  const double multiplier = multiplier_of(behind);
  return PrintedNumber{value * multiplier, rounding_of(digits, value, multiplier), behind};
}

/// Text from the figure's value on: after its words, or if these follow, the word before them, as
/// in `| 3056.36 ms |` and `(330.12 ms |`; absent if the line does not have the words.
std::optional<std::string_view> value_of(std::string_view text, const LineFigure& figure) {
  const std::size_t at =
      figure.words_follow ? text.find(figure.words) : place_of(text, figure.words);
  if (at == std::string_view::npos) return {};
  if (!figure.words_follow) {
    text.remove_prefix(std::min(at + figure.words.size(), text.size()));
    return text.substr(std::min(text.find_first_not_of(" :=\t\"'"), text.size()));
  }
  const std::string_view before = trimmed(text.substr(0, at));
  return before.substr(before.find_last_of(" |(\t") + 1);
}

/// Seconds per unit in `ms |` or ` s,`; absent if this is no unit of time.
std::optional<double> time_unit_of(std::string_view behind) {
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"ms", 1e-3}, {"us", 1e-6}, {"\u00b5s", 1e-6}, {"sec", 1}, {"s", 1}}};
  if (behind.starts_with(' ')) behind.remove_prefix(1);
  for (const auto& [unit, seconds] : units) {
    if (!behind.starts_with(unit)) continue;
    const char next = behind.size() > unit.size() ? behind[unit.size()] : ' ';
    if (!is_of_a_word(next) && next != '/') return seconds;
  }
  return {};
}

/// Total in `/18865`, behind the 12 of `step 12/18865`.
std::optional<double> total_of(std::string_view behind) {
  behind = trimmed(behind);
  const auto total = behind.starts_with('/') ? number_in(trimmed(behind.substr(1))) : std::nullopt;
  return total ? std::optional(total->value) : std::nullopt;
}

/// Total of a bar such as `| 12/100 [00:31<04:02, ...`.
std::optional<double> bar_total(std::string_view text) {
  const std::size_t open = text.find(" [", std::min(text.find("%|"), text.size()));
  if (open == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, open);
  const std::size_t slash = before.rfind('/');
  if (slash == std::string_view::npos) return {};
  const auto total = parse_count(std::string(before.substr(slash + 1)));
  return total && *total > 0 ? std::optional<double>(*total) : std::nullopt;
}

/// InputError unless the time of a step is valid.
void check_seconds(const LogText& log, const LogLine& line, const LineFigure& figure,
                   std::string_view value, const std::optional<PrintedNumber>& read, double scale) {
  constexpr double longest = 1e6;
  if (read && read->value > 0 && read->value * scale <= longest) return;
  if (value.starts_with("nan")) return;  // printed before the first step
  const LogWord word{value.substr(0, value.find_first_of(" ,|]\t\r")),
                     line.column + static_cast<int>(line.text.size() - value.size())};
  throw InputError(
      log.location(line, word), figure.words,
      "must be a time above 0 and at most a million seconds, is '" + shortened(word.text) + "'");
}

/// True if the line has one of these figures.
bool has_figure(const LogLine& line, const StepDialect& dialect,
                std::initializer_list<std::optional<double> L::*> figures) {
  return std::ranges::any_of(dialect.figures(), [&](const auto& each) {
    return std::ranges::find(figures, each.figure) != figures.end() &&
           figure_after(line.text, each.words);
  });
}

}  // namespace

bool is_step_line(const LogLine& line, const StepDialect& dialect) {
  const std::string_view words = dialect.begins.empty() ? dialect.mark : dialect.begins;
  if (line.text.find(words) == std::string_view::npos) return false;
  if (dialect.needs != StepNeeds::TimeOrObject)
    return figure_after(line.text, dialect.figures().front().words) ||
           (dialect.needs == StepNeeds::FirstOrMark && figure_after(line.text, dialect.mark));
  if (!has_figure(line, dialect, {&L::iteration}))
    return trimmed(line.text).starts_with('{') && has_figure(line, dialect, {&L::seconds});
  return has_figure(
      line, dialect,
      {&L::seconds, &L::steps_rate, &L::samples_rate, &L::tokens_rate, &L::tokens_rate_each});
}

const StepDialect* step_dialect_of(const LogText& log) {
  const auto dialects = step_dialects();
  const auto found = std::ranges::find_if(dialects, [&](const auto& each) {
    if (log.whole.find(each.mark) == std::string_view::npos) return false;
    const auto is_step = [&](const LogLine& line) { return is_step_line(line, each); };
    const auto first = std::ranges::find_if(log.lines, is_step);
    if (first == log.lines.end()) return false;
    // A single object with a time and no iteration is a file of settings, not a log.
    return each.needs != StepNeeds::TimeOrObject || has_figure(*first, each, {&L::iteration}) ||
           std::any_of(std::next(first), log.lines.end(), is_step);
  });
  return found == dialects.end() ? nullptr : &*found;
}

bool is_thousands_comma(std::string_view text, std::size_t at) {
  constexpr std::size_t group = 3;
  return text[at] == ',' && at > 0 && is_digit(text[at - 1]) && at + group < text.size() &&
         is_whole_number(text.substr(at + 1, group)) &&
         (at + group + 1 == text.size() || !is_digit(text[at + group + 1]));
}

std::optional<double> figure_after(std::string_view text, std::string_view words) {
  const auto value = value_of(text, {.words = words});
  const auto number = value ? number_in(*value) : std::nullopt;
  return number ? std::optional(number->value) : std::nullopt;
}

void take_figures(const LogText& log, const LogLine& line, const StepDialect& dialect,
                  StepLine& read, StepLine& rounding) {
  for (const LineFigure& each : dialect.figures()) {
    const auto value = value_of(line.text, each);
    if (!value) continue;
    const auto number = number_in(*value);
    double scale = each.scale;
    if (each.figure == &L::seconds && !each.words_follow) {
      // A printed unit overrides the program's default one.
      if (number) scale = time_unit_of(number->behind).value_or(scale);
      check_seconds(log, line, each, *value, number, scale);
    }
    if (!number) continue;
    // NeMo 2 prints `iteration 5/99` before its global_step.
    if (each.figure == &L::iteration && !read.iterations)
      read.iterations = total_of(number->behind);
    if (number->value < 0 || read.*each.figure) continue;
    read.*each.figure = number->value * scale;
    rounding.*each.figure = number->rounding * scale;
  }
  if (read.iterations || line.text.find(dialect.mark) == std::string_view::npos) return;
  const auto total = bar_total(line.text);
  if (total && *total >= read.iteration.value_or(0)) read.iterations = total;
}

}  // namespace formats
}  // namespace tofn
