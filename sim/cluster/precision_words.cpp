#include "sim/cluster/precision_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace cluster {
namespace {

enum class Names { Format, Recipe, Nothing };

/// A word in configurations. A recipe also implies its format.
struct PrecisionWord {
  std::string_view word;
  Names names;
  Precision precision{};
};

/// Words besides those of `precision_names`: of PyTorch and Lightning, of Transformer Engine
/// (transformer_engine/common/recipe), of Megatron-LM (--fp8-recipe, --fp4-recipe) and of the
/// tables of MLPerf.
constexpr auto precision_words =
    std::to_array<PrecisionWord>({{"float32", Names::Format, Precision::Fp32},
                                  {"32", Names::Format, Precision::Fp32},
                                  {"bfloat16", Names::Format, Precision::Bf16},
                                  {"float16", Names::Format, Precision::Fp16},
                                  {"half", Names::Format, Precision::Fp16},
                                  {"16", Names::Format, Precision::Fp16},
                                  {"float8", Names::Format, Precision::Fp8},
                                  {"e4m3", Names::Format, Precision::Fp8},
                                  {"e5m2", Names::Format, Precision::Fp8},
                                  {"e2m1", Names::Format, Precision::Fp4},
                                  {"mxfp8", Names::Recipe, Precision::Fp8},
                                  {"delayed", Names::Recipe, Precision::Fp8},
                                  {"tensorwise", Names::Recipe, Precision::Fp8},
                                  {"rowwise", Names::Recipe, Precision::Fp8},
                                  {"blockwise", Names::Recipe, Precision::Fp8},
                                  {"nvfp4", Names::Recipe, Precision::Fp4},
                                  {"mxfp4", Names::Recipe, Precision::Fp4},
                                  {"current", Names::Nothing},
                                  {"hybrid", Names::Nothing},
                                  {"mixed", Names::Nothing},
                                  {"params", Names::Nothing},
                                  {"precision", Names::Nothing},
                                  {"recipe", Names::Nothing},
                                  {"scaling", Names::Nothing},
                                  {"true", Names::Nothing},
                                  {"with", Names::Nothing}});

std::optional<PrecisionWord> find_word(std::string_view word) {
  for (const auto& [name, precision] : precision_names)
    if (name == word) return PrecisionWord{name, Names::Format, precision};
  const auto* const found = std::ranges::find(precision_words, word, &PrecisionWord::word);
  if (found == precision_words.end()) return {};
  return *found;
}

/// Splits text outside parentheses into words of letters and digits, in lower case.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    const bool is_of_a_word = depth == 0 && std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_of_a_word)
      words.back() += lower_case(c);
    else if (!words.back().empty())
      words.emplace_back();
    if (c == ')' && depth > 0) --depth;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string valid_words() {
  std::string words;
  for (const auto& [name, precision] : precision_names) words += std::string(name) + ", ";
  for (const PrecisionWord& each : precision_words)
    if (each.names == Names::Recipe) words += std::string(each.word) + ", ";
  return words.substr(0, words.size() - 2);
}

}  // namespace

bool leaves_recipe_open(std::string_view words) {
  return words.find("recipe not stated") != std::string_view::npos;
}

std::optional<NamedPrecision> precision_named(std::string_view words) {
  std::optional<NamedPrecision> named;
  for (const std::string& word : words_of(words)) {
    const auto found = find_word(word);
    if (!found) return {};
    if (found->names == Names::Nothing) continue;
    if (!named || found->precision > named->precision) named = {.precision = found->precision};
    if (found->names == Names::Recipe && found->precision == named->precision) named->recipe = word;
  }
  return named;
}

std::optional<NamedPrecision> precision_of(const CsvRow& row, std::string_view column) {
  const std::string cell = row.text(column);
  if (cell.empty() || leaves_recipe_open(cell)) return {};
  auto named = precision_named(cell);
  if (!named)
    row.fail(column, fmt::format("unknown precision '{}'; valid precisions: {}", shortened(cell),
                                 valid_words()));
  return named;
}

}  // namespace cluster
}  // namespace tofn
