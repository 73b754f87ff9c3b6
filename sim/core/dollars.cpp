#include "sim/core/dollars.hpp"

#include <string>

#include "sim/core/count_text.hpp"

namespace tofn {
namespace {

constexpr std::string_view sign = "$";
constexpr std::string_view word = "USD";

void trim_right(std::string_view& text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
}

}  // namespace

bool has_currency(std::string_view text) {
  return text.starts_with(sign) || text.ends_with(" USD");
}

std::optional<double> parse_dollars(std::string_view text) {
  if (text.starts_with(sign)) text.remove_prefix(sign.size());
  if (text.ends_with(word)) text.remove_suffix(word.size());
  trim_right(text);
  std::string number(text);
  // A space may stand before the suffix, as in `2 M`.
  const bool has_letter = !number.empty() && (number.back() < '0' || number.back() > '9');
  if (has_letter && number.size() > 2 && number[number.size() - 2] == ' ')
    number.erase(number.size() - 2, 1);
  const auto dollars = parse_count(number);
  if (!dollars || !(*dollars > 0)) return {};
  return dollars;
}

}  // namespace tofn
