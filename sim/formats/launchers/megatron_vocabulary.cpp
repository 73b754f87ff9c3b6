#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/formats/launchers/megatron_model.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr int most_entries = 100'000'000;

struct Tokenizer {
  int entries = 0;  ///< 0 if not known
  std::string name{};
};

/// Tokenizer that the file names; otherwise the one that Megatron-LM's programs set themselves
/// (pretrain_gpt.py and pretrain_mamba.py, `args_defaults`).
Tokenizer tokenizer_of(const LaunchValues& values) {
  constexpr std::array<std::string_view, 2> keys{"tokenizer-model", "tokenizer-type"};
  Tokenizer found;
  for (const std::string_view key : keys) {
    const std::string tokenizer = values.text(key);
    for (const auto& [start, entries] : values.launcher().tokenizers)
      if (tokenizer.starts_with(start)) return {entries, "its tokenizer " + tokenizer};
    if (found.name.empty()) found.name = tokenizer;
  }
  const bool is_open =
      std::ranges::any_of(keys, [&](std::string_view key) { return values.is_left_open(key); });
  const std::string program = values.text("program");
  const auto& known = values.launcher().tokenizers;
  if (!found.name.empty() || is_open || known.empty() || !program.starts_with("pretrain_"))
    return found;
  return {known.front().second, fmt::format("{}, which {} sets", known.front().first, program)};
}

}  // namespace

long long padded_entries(const LaunchValues& values, long long entries) {
  constexpr std::string_view key = "make-vocab-size-divisible-by";
  const long long each = values.size(key);
  if (each < 1) values.fail(key, fmt::format("must be at least 1, is {}", each));
  const long long multiple = each * values.whole("tensor-model-parallel-size");
  const long long padded = (entries + multiple - 1) / multiple * multiple;
  if (padded > most_entries)
    values.fail(key, fmt::format("makes {} entries of {}: at most {} are expected", padded, entries,
                                 most_entries));
  return padded;
}

int vocabulary_size(const LaunchValues& values, std::vector<std::string>& substitutions) {
  if (const int padded = values.size("padded-vocab-size"); padded > 0) return padded;
  const int stated = values.size("vocab-size");
  const Tokenizer tokenizer = tokenizer_of(values);
  if (stated == 0 && tokenizer.entries == 0)
    values.fail(
        "vocab-size",
        fmt::format("is needed, since the size of {} is not known here: add --vocab-size "
                    "or --padded-vocab-size, or name the model (--from FILE MODEL CLUSTER)",
                    tokenizer.name.empty() ? "its tokenizer" : "its tokenizer " + tokenizer.name));
  const int entries = stated > 0 ? stated : tokenizer.entries;
  const long long padded = padded_entries(values, entries);
  const std::string padding =
      padded == entries ? "" : fmt::format("padded to {} as Megatron-LM does", padded);
  if (stated == 0)
    substitutions.push_back(
        fmt::format("the vocabulary is taken to have {} entries, those of {}{}{}", entries,
                    tokenizer.name, padding.empty() ? "" : ", ", padding));
  else if (!padding.empty())
    substitutions.push_back(fmt::format("the vocabulary's {} entries are {}", entries, padding));
  return static_cast<int>(padded);
}

}  // namespace formats
}  // namespace tofn
