#include "sim/options/option_values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace options {
namespace {

/// Far above any system; keeps products of sizes inside an int.
constexpr int most_accelerators = 1 << 20;

int whole_number(std::string_view text, std::string_view option, int most) {
  long long value = 0;
  if (!parse_integer(text, value) || value < 1 || value > most)
    throw InputError(
        {}, option,
        fmt::format("expected a whole number from 1 to {}, got '{}'", most, shortened(text)));
  return static_cast<int>(value);
}

/// One number of a list of accelerators.
int list_number(std::string_view text, std::string_view option) {
  long long value = 0;
  if (!parse_integer(text, value) || value < 1 || value > most_accelerators)
    throw InputError({}, std::string(option),
                     fmt::format("expected whole numbers from 1 to {} such as 8, 8,64 or 8..64 (8 "
                                 "and its doublings), got '{}'",
                                 most_accelerators, shortened(text)));
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

options::variables_map with_option(options::variables_map values, const char* name,
                                   std::string text) {
  values.insert({name, options::variable_value(std::move(text), false)});
  return values;
}

std::optional<std::string> text_option(const options::variables_map& values, const char* name) {
  if (values.count(name) == 0) return {};
  return values[name].as<std::string>();
}

std::optional<int> count_option(const options::variables_map& values, const char* name, int most) {
  const auto text = text_option(values, name);
  if (!text) return {};
  return whole_number(*text, std::string("--") + name, most);
}

std::optional<int> sequence_length_option(const options::variables_map& values) {
  constexpr int most = 1 << 24;
  constexpr int unit = 1024;
  constexpr const char* name = "sequence-length";
  const auto text = text_option(values, name);
  if (!text) return {};
  const bool is_of_units = text->ends_with('k') || text->ends_with('K');
  long long count = 0;
  if (parse_integer(text->substr(0, text->size() - (is_of_units ? 1 : 0)), count) && count >= 1 &&
      count <= (is_of_units ? most / unit : most))
    return static_cast<int>(is_of_units ? unit * count : count);
  throw InputError({}, std::string("--") + name,
                   fmt::format("expected tokens from 1 to {}, such as 8192 or 8k (8 x 1024), got "
                               "'{}'",
                               most, shortened(*text)));
}

std::optional<std::vector<int>> numbers_option(const options::variables_map& values,
                                               const char* name) {
  const auto text = text_option(values, name);
  if (!text) return {};
  std::vector<int> numbers;
  for (const std::string& part : split_list(*text)) {
    long long value = 0;
    if (!parse_integer(part, value) || value < 0 || value > most_accelerators)
      throw InputError({}, std::string("--") + name,
                       fmt::format("expected whole numbers from 0 to {} such as 7,8,8,7, got '{}'",
                                   most_accelerators, shortened(part)));
    numbers.push_back(static_cast<int>(value));
  }
  return numbers;
}

std::optional<bool> switch_option(const options::variables_map& values, const char* name) {
  static constexpr std::array<std::pair<std::string_view, bool>, 2> names{
      {{"on", true}, {"off", false}}};
  return choice_option(values, name, names);
}

std::vector<int> counts_of(const std::string& text, const std::string& option) {
  std::vector<int> counts;
  for (const std::string& part : split_list(text)) {
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
      counts.push_back(list_number(part, option));
      continue;
    }
    const int first = list_number(std::string_view(part).substr(0, dots), option);
    const int last = list_number(std::string_view(part).substr(dots + 2), option);
    if (last < first)
      throw InputError({}, option, fmt::format("the range {} ends below its start", part));
    for (int count = first; count <= last; count *= 2) counts.push_back(count);
  }
  if (counts.empty()) throw InputError({}, option, "expected numbers, e.g. 8,64");
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

}  // namespace options
}  // namespace tofn
