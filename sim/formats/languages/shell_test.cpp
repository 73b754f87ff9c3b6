#include <algorithm>
#include <array>
#include <span>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/languages/shell_values.hpp"

namespace tofn {
inline namespace formats {
namespace {

using Words = std::span<const std::optional<std::string>>;  // absent: not known
using Truth = std::optional<bool>;

Truth truth_of_numbers(const std::string& left, std::string_view sign, const std::string& right) {
  long long a = 0;
  long long b = 0;
  if (!parse_integer(left, a) || !parse_integer(right, b)) return std::nullopt;
  if (sign == "-eq") return a == b;
  if (sign == "-ne") return a != b;
  if (sign == "-gt") return a > b;
  if (sign == "-ge") return a >= b;
  if (sign == "-lt") return a < b;
  if (sign == "-le") return a <= b;
  return std::nullopt;
}

Truth truth_of_pair(const std::optional<std::string>& left, const std::string& sign,
                    const std::optional<std::string>& right) {
  if (!left || !right) return std::nullopt;
  if (sign == "=" || sign == "==") return fits_pattern(*left, *right);
  if (sign == "!=") return !fits_pattern(*left, *right);
  return truth_of_numbers(*left, sign, *right);
}

Truth simple_truth(Words words) {
  if (words.empty()) return false;
  if (words.size() == 1) return words[0] ? Truth(!words[0]->empty()) : std::nullopt;
  if (!words[0] && words.size() != 3) return std::nullopt;
  if (words[0] == "!") {
    const Truth truth = simple_truth(words.subspan(1));
    return truth ? Truth(!*truth) : std::nullopt;
  }
  if (words.size() == 2 && words[1]) {
    if (*words[0] == "-n") return !words[1]->empty();
    if (*words[0] == "-z") return words[1]->empty();
  }
  if (words.size() == 3 && words[1]) return truth_of_pair(words[0], *words[1], words[2]);
  return std::nullopt;
}

/// Evaluates words with `and` and `or`, of which `and` binds tighter. Brackets are not read.
Truth truth_of_all(Words words, bool is_or) {
  const auto is_sign = [&](const std::optional<std::string>& word) {
    return word && (is_or ? *word == "||" || *word == "-o" : *word == "&&" || *word == "-a");
  };
  Truth all = !is_or;
  for (;;) {
    const auto sign = std::ranges::find_if(words, is_sign);
    const Words part = words.first(static_cast<std::size_t>(sign - words.begin()));
    const Truth truth = is_or ? truth_of_all(part, false) : simple_truth(part);
    if (truth == is_or) return is_or;  // one part decides
    if (!truth) all = std::nullopt;
    if (sign == words.end()) return all;
    words = words.subspan(part.size() + 1);
  }
}

}  // namespace

std::optional<bool> shell_test(const std::vector<Glyphs>& words) {
  std::vector<std::optional<std::string>> texts;
  for (const Glyphs& word : words) texts.push_back(known_text(word));
  return truth_of_all(texts, true);
}

}  // namespace formats
}  // namespace tofn
