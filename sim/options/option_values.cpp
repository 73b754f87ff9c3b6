#include "sim/options/option_values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/largest_job.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace options {
namespace {

/// Reads one number of a list of accelerators.
int list_number(std::string_view text, std::string_view option) {
  long long value = 0;
  if (!parse_integer(text, value) || value < 1 || value > largest_job)
    throw InputError({}, std::string(option),
                     fmt::format("expected whole numbers from 1 to {} such as 8, 8,64 or 8..64 (8 "
                                 "and its doublings), got '{}'",
                                 largest_job, shortened(text)));
  return static_cast<int>(value);
}

}  // namespace

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    if (comma > start) parts.push_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::string with_space_before_unit(const std::string& text) {
  const std::size_t unit = text.find_last_of("0123456789.") + 1;
  if (unit == 0 || unit == text.size() || text[unit] == ' ') return text;
  return text.substr(0, unit) + ' ' + text.substr(unit);
}

std::vector<std::string> listed(const std::string& text, const std::string&) {
  return split_list(text);
}

int whole_number(const std::string& text, const std::string& flag, int most) {
  long long value = 0;
  if (!parse_integer(text, value) || value < 1 || value > most)
    throw InputError(
        {}, flag,
        fmt::format("expected a whole number from 1 to {}, got '{}'", most, shortened(text)));
  return static_cast<int>(value);
}

std::vector<int> numbers(const std::string& text, const std::string& flag) {
  std::vector<int> all;
  for (const std::string& part : split_list(text)) {
    long long value = 0;
    if (!parse_integer(part, value) || value < 0 || value > largest_job)
      throw InputError({}, flag,
                       fmt::format("expected whole numbers from 0 to {} such as 7,8,8,7, got '{}'",
                                   largest_job, shortened(part)));
    all.push_back(static_cast<int>(value));
  }
  return all;
}

bool on_or_off(const std::string& text, const std::string& flag) {
  static constexpr std::array<std::pair<std::string_view, bool>, 2> names{
      {{"on", true}, {"off", false}}};
  return choice_in(names, text, flag);
}

std::vector<int> counts_of(const std::string& text, const std::string& flag) {
  std::vector<int> counts;
  for (const std::string& part : split_list(text)) {
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
      counts.push_back(list_number(part, flag));
      continue;
    }
    const int first = list_number(std::string_view(part).substr(0, dots), flag);
    const int last = list_number(std::string_view(part).substr(dots + 2), flag);
    if (last < first)
      throw InputError({}, flag, fmt::format("the range {} ends below its start", part));
    for (int count = first; count < last; count *= 2) counts.push_back(count);
    counts.push_back(last);
  }
  if (counts.empty()) throw InputError({}, flag, "expected numbers, e.g. 8,64");
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

}  // namespace options
}  // namespace tofn
