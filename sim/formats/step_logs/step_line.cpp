#include "sim/formats/step_logs/step_line.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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
    const bool is_comma = c == ',' && end > 0 && end + 3 < text.size() && is_digit(text[end - 1]) &&
                          is_digit(text[end + 1]) && is_digit(text[end + 2]) &&
                          is_digit(text[end + 3]) &&
                          (end + 4 == text.size() || !is_digit(text[end + 4]));
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

std::string_view value_text(std::string_view text, std::size_t end_of_words) {
  const std::size_t start = text.find_first_not_of(" :=\t\"'", end_of_words);
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

/// Half a unit of the last digit, of `3.50` or `3.5e2`. Figures with a multiplier (nanotron's
/// `1.02K`, `2K`) have three digits, of which trailing zeros are not printed.
double rounding_of(std::string_view digits, double value, double multiplier) {
  constexpr double half = 0.5;
  if (multiplier > 1 && value > 0)
    return half * std::pow(10, std::floor(std::log10(value)) - 2) * multiplier;
  const std::string_view mantissa = digits.substr(0, digits.find_first_of("eE"));
  const std::size_t point = mantissa.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : mantissa.size() - point - 1;
  double exponent = 0;
  if (mantissa.size() < digits.size()) parse_number(digits.substr(mantissa.size() + 1), exponent);
  return half * std::pow(10, exponent - static_cast<double>(decimals));
}

struct PrintedNumber {
  double value = 0;
  double rounding = 0;  ///< half a unit of its last digit
};

std::optional<PrintedNumber> number_in(std::string_view text) {
  std::string digits;
  const std::string_view rest = take_number(text, digits);
  double value = 0;
  if (!parse_number(digits, value)) return {};
  const double multiplier = multiplier_of(rest);
  return PrintedNumber{value * multiplier, rounding_of(digits, value, multiplier)};
}

std::optional<PrintedNumber> number_after(std::string_view text, std::string_view words) {
  const std::size_t at = place_of(text, words);
  if (at == std::string_view::npos) return {};
  return number_in(value_text(text, at + words.size()));
}

/// Seconds per unit in `330.12ms |` or `5.62 s,`; absent if the number has no unit.
std::optional<double> unit_after(std::string_view text, std::string_view words) {
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"ms", 1e-3}, {"us", 1e-6}, {"\u00b5s", 1e-6}, {"sec", 1}, {"s", 1}}};
  const std::size_t at = place_of(text, words);
  if (at == std::string_view::npos) return {};
  std::string digits;
  std::string_view rest = take_number(value_text(text, at + words.size()), digits);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const auto& [unit, seconds] : units) {
    if (!rest.starts_with(unit)) continue;
    const char next = rest.size() > unit.size() ? rest[unit.size()] : ' ';
    if (!is_of_a_word(next) && next != '/') return seconds;
  }
  return {};
}

/// Total in `step 12/18865`.
std::optional<double> total_after(std::string_view text, std::string_view words) {
  const std::size_t at = place_of(text, words);
  if (at == std::string_view::npos) return {};
  std::string digits;
  const std::string_view rest = trimmed(take_number(value_text(text, at + words.size()), digits));
  if (!rest.starts_with('/')) return {};
  const auto total = number_in(trimmed(rest.substr(1)));
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

/// Number before the words, as in `| 3056.36 ms |` and `(330.12 ms |`.
std::optional<PrintedNumber> figure_before(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return {};
  const std::string_view before = trimmed(text.substr(0, at));
  const std::size_t start = before.find_last_of(" |(\t");
  return number_in(before.substr(start == std::string_view::npos ? 0 : start + 1));
}

/// InputError unless the time of a step is valid.
void check_seconds(const LogText& log, const LogLine& line, const LineFigure& figure, double scale,
                   std::optional<PrintedNumber> read) {
  constexpr double longest = 1e6;
  if (read && read->value > 0 && read->value * scale <= longest) return;
  const std::size_t at = place_of(line.text, figure.words);
  const std::string_view rest = value_text(line.text, at + figure.words.size());
  if (rest.starts_with("nan")) return;  // printed before the first step
  const LogWord word{rest.substr(0, std::min(rest.find_first_of(" ,|]\t\r"), rest.size())),
                     line.column + static_cast<int>(line.text.size() - rest.size())};
  throw InputError(
      log.location(line, word), figure.words,
      "must be a time above 0 and at most a million seconds, is '" + shortened(word.text) + "'");
}

}  // namespace

bool is_step_line(const LogLine& line, const StepDialect& dialect) {
  const std::string_view words = dialect.begins.empty() ? dialect.mark : dialect.begins;
  if (line.text.find(words) == std::string_view::npos) return false;
  const auto says = [&](const auto& is_one) {
    return std::any_of(dialect.figures.begin(), dialect.figures.end(), [&](const LineFigure& each) {
      return is_one(each.figure) && figure_after(line.text, each.words);
    });
  };
  if (dialect.is_measured) {
    if (!says([](auto figure) { return figure == &L::iteration; }))
      return trimmed(line.text).starts_with('{') &&
             says([](auto figure) { return figure == &L::seconds; });
    return says([](auto figure) {
      return figure == &L::seconds || figure == &L::steps_rate || figure == &L::samples_rate ||
             figure == &L::tokens_rate || figure == &L::tokens_rate_each;
    });
  }
  return figure_after(line.text, dialect.figures.front().words).has_value() ||
         (dialect.has_loose_lines && figure_after(line.text, dialect.mark).has_value());
}

const StepDialect* step_dialect_of(const LogText& log) {
  const auto dialects = step_dialects();
  const auto found = std::find_if(dialects.begin(), dialects.end(), [&](const auto& each) {
    if (log.whole.find(each.mark) == std::string_view::npos) return false;
    const auto is_step = [&](const LogLine& line) { return is_step_line(line, each); };
    const auto first = std::find_if(log.lines.begin(), log.lines.end(), is_step);
    if (first == log.lines.end()) return false;
    // A single object with a time and no iteration is a file of settings, not a log.
    StepLine figures;
    StepLine rounding;
    if (each.is_measured) take_figures(log, *first, each, figures, rounding);
    return !each.is_measured || figures.iteration ||
           std::any_of(std::next(first), log.lines.end(), is_step);
  });
  return found == dialects.end() ? nullptr : &*found;
}

std::optional<double> figure_after(std::string_view text, std::string_view words) {
  const auto number = number_after(text, words);
  return number ? std::optional(number->value) : std::nullopt;
}

void take_figures(const LogText& log, const LogLine& line, const StepDialect& dialect,
                  StepLine& read, StepLine& rounding) {
  for (const LineFigure& each : dialect.figures) {
    const auto number = each.words_follow ? figure_before(line.text, each.words)
                                          : number_after(line.text, each.words);
    const bool is_there = place_of(line.text, each.words) != std::string_view::npos;
    const bool is_time = each.figure == &L::seconds && is_there && !each.words_follow;
    // A printed unit overrides the program's default one.
    const double scale =
        is_time ? unit_after(line.text, each.words).value_or(each.scale) : each.scale;
    if (is_time) check_seconds(log, line, each, scale, number);
    // NeMo 2 prints `iteration 5/99` before its global_step.
    if (each.figure == &L::iteration && !read.iterations)
      read.iterations = total_after(line.text, each.words);
    if (!number || number->value < 0 || read.*each.figure) continue;
    read.*each.figure = number->value * scale;
    rounding.*each.figure = number->rounding * scale;
  }
  const auto total = dialect.has_loose_lines ? bar_total(line.text) : std::nullopt;
  if (!read.iterations && total && *total >= read.iteration.value_or(0)) read.iterations = total;
}

}  // namespace formats
}  // namespace tofn
