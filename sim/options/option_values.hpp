#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace options {

// Readers of options turn the text of a value into the value. InputError with the flag (`--batch`)
// if the text is invalid.

/// Splits `a,b,c` at the commas, without empty parts.
std::vector<std::string> split_list(const std::string& text);
/// Reads a list that is separated by commas.
std::vector<std::string> listed(const std::string& text, const std::string& flag);

/// Reads a whole number from 1 to `most`.
int whole_number(const std::string& text, const std::string& flag, int most);
template <int most = 1'000'000>
int whole(const std::string& text, const std::string& flag) {
  return whole_number(text, flag, most);
}
/// Largest number of samples in a batch.
inline constexpr int most_samples = 100'000'000;

/// Reads whole numbers of at least 0 in their order: `7,8,8,7`.
std::vector<int> numbers(const std::string& text, const std::string& flag);

/// Reads `8`, `8,64,512`, `8..500` (8, its doublings below 500, and 500) or a mix, and returns the
/// numbers in ascending order, each once.
std::vector<int> counts_of(const std::string& text, const std::string& flag);

/// Turns `25MiB` into `25 MiB`, as files have it, because a space needs quotes in a shell.
std::string with_space_before_unit(const std::string& text);

/// Reads an amount above 0 with its unit, `2s` or `2 s`.
template <class Q>
Q amount_of(const std::string& text, const std::string& flag) {
  try {
    const Q amount = parse_quantity<Q>(with_space_before_unit(text));
    if (amount > Q(0)) return amount;
  } catch (const std::invalid_argument& error) {
    throw InputError({}, flag, error.what());
  }
  throw InputError({}, flag, "must be more than zero, got '" + shortened(text) + "'");
}

/// Finds a choice by its name in a table; error messages call the names `noun`.
template <class Table>
auto choice_in(const Table& table, const std::string& text, const std::string& flag,
               std::string_view noun = "value") {
  std::vector<std::string> valid;
  for (const auto& [each, value] : table) {
    if (each == text) return value;
    valid.emplace_back(each);
  }
  throw InputError({}, flag, unknown_name(noun, text, valid));
}
template <const auto& table>
auto choice(const std::string& text, const std::string& flag) {
  return choice_in(table, text, flag);
}

/// Reads `on` or `off`.
bool on_or_off(const std::string& text, const std::string& flag);

}  // namespace options
}  // namespace tofn
