#include "sim/core/count_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
namespace {

struct Suffix {
  char letter;
  double factor;
};
// If two letters stand for one factor, the first is printed.
constexpr std::array suffixes{
    Suffix{'T', 1e12}, Suffix{'B', 1e9},  Suffix{'G', 1e9}, Suffix{'M', 1e6}, Suffix{'k', 1e3},
    Suffix{'K', 1e3},  Suffix{'t', 1e12}, Suffix{'b', 1e9}, Suffix{'g', 1e9}, Suffix{'m', 1e6}};

const Suffix* suffix_of(double count) {
  const auto found = std::ranges::find_if(
      suffixes, [&](const Suffix& each) { return std::abs(count) >= each.factor; });
  return found == suffixes.end() ? nullptr : &*found;
}

}  // namespace

std::optional<double> parse_count(std::string_view text) {
  double factor = 1;
  if (!text.empty())
    for (const Suffix& each : suffixes)
      if (text.back() == each.letter) {
        factor = each.factor;
        text.remove_suffix(1);
        if (text.ends_with(' ')) text.remove_suffix(1);
        break;
      }
  double number = 0;
  if (!parse_number(text, number) || !std::isfinite(number * factor)) return {};
  return number * factor;
}

int length_in_tokens(const std::string& text) {
  constexpr int most = 1 << 24;
  int unit = 1;
  if (text.ends_with('k') || text.ends_with('K')) unit = 1024;
  if (text.ends_with('M')) unit = 1024 * 1024;
  long long count = 0;
  if (parse_integer(text.substr(0, text.size() - (unit > 1 ? 1 : 0)), count) && count >= 1 &&
      count <= most / unit)
    return static_cast<int>(unit * count);
  throw InputError(fmt::format(
      "expected tokens from 1 to {}, such as 8192, 8k (8 x 1024) or 1M (1024 x 1024), got '{}'",
      most, shortened(text)));
}

std::string count_text(double count) {
  if (const Suffix* suffix = suffix_of(count)) {
    std::string text = fmt::format("{}{}", count / suffix->factor, suffix->letter);
    if (parse_count(text) == count) return text;
  }
  return fmt::format("{}", count);
}

std::string count_text(double count, int significant_digits) {
  // The rounded number decides the suffix: 950.4k to two digits is 950k, 999.9k is 1M.
  double rounded = 0;
  parse_number(fmt::format("{:.{}e}", count, significant_digits - 1), rounded);
  const Suffix* suffix = suffix_of(rounded);
  if (suffix == nullptr) return fmt::format("{:.{}g}", count, significant_digits);
  const double value = rounded / suffix->factor;
  const bool is_whole = std::abs(value) >= std::pow(10, significant_digits);
  return (is_whole ? fmt::format("{:.0f}", value)
                   : fmt::format("{:.{}g}", value, significant_digits)) +
         suffix->letter;
}

std::string short_count_text(double count) {
  constexpr double most_in_full = 99999;
  if (count == std::floor(count) && std::abs(count) <= most_in_full)
    return fmt::format("{:.0f}", count);
  return count_text(count, 4);
}

}  // namespace tofn
