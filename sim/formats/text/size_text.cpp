#include <array>
#include <cmath>
#include <string>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

double nearest_power_of_two(double value) { return std::exp2(std::round(std::log2(value))); }

bool is_power_of_two(double value) { return value == nearest_power_of_two(value); }

/// Returns 1, 2, 3 for K, M, G; 0 for other letters.
int prefix_of(char letter) {
  constexpr std::string_view letters = "kmgt";
  const std::size_t found = letters.find(letter);
  return found == std::string_view::npos ? 0 : static_cast<int>(found) + 1;
}

PrintedSize rounded_size(double number, int prefix) {
  const double binary = number * std::pow(1024.0, prefix);
  if (is_power_of_two(binary)) return {.bytes = binary, .is_assumed = true};
  const double decimal = number * std::pow(1000.0, prefix);
  const double power = nearest_power_of_two(decimal);
  constexpr double rounding = 0.02;
  const bool is_near = std::abs(decimal / power - 1) <= rounding;
  return {.bytes = is_near ? power : decimal, .is_assumed = true};
}

}  // namespace

std::optional<PrintedSize> parse_printed_size(std::string_view text) {
  std::string plain;
  for (const char c : lower_case(text))
    if (c != '_' && c != ',' && c != ' ') plain += c;
  const std::size_t digits = plain.find_first_not_of("0123456789.");
  double number = 0;
  constexpr double most = 1e30;  // times any unit it is still finite
  if (!parse_number(plain.substr(0, digits), number) || !(number > 0) || number > most)
    return std::nullopt;
  const std::string unit = digits == std::string::npos ? "" : plain.substr(digits);
  if (unit.empty() || unit == "b") return PrintedSize{.bytes = number};
  const int prefix = prefix_of(unit.front());
  if (prefix == 0) return std::nullopt;
  const std::string rest = unit.substr(1);
  if (rest == "ib") return PrintedSize{.bytes = number * std::pow(1024.0, prefix)};
  if (!rest.empty() && rest != "b") return std::nullopt;
  return rounded_size(number, prefix);
}

}  // namespace formats
}  // namespace tofn
