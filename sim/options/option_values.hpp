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

// Readers of options: the text of a value -> the value. A bad one is an InputError that names the
// flag, `--batch`.

/// `a,b,c` -> its parts, without empty ones.
std::vector<std::string> split_list(const std::string& text);
/// Reader of such a list.
std::vector<std::string> listed(const std::string& text, const std::string& flag);

/// A whole number from 1 to `most`.
int whole_number(const std::string& text, const std::string& flag, int most);
template <int most = 1'000'000>
int whole(const std::string& text, const std::string& flag) {
  return whole_number(text, flag, most);
}
/// Samples of a batch are whole, and bounded.
inline constexpr int most_samples = 100'000'000;

/// Whole numbers from 0 on, as they stand: `7,8,8,7`.
std::vector<int> numbers(const std::string& text, const std::string& flag);

/// `8`, `8,64,512`, `8..512` (8 and its doublings up to 512) or a mix: ascending, each once.
std::vector<int> counts_of(const std::string& text, const std::string& flag);

/// `25MiB` -> `25 MiB`: a shell would want quotes around the space that files have.
std::string with_space_before_unit(const std::string& text);

/// An amount with its unit that is above zero, `2s` or `2 s`.
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

/// A choice by its name in a table; `noun` is what the table's names are called.
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

/// `on` or `off`.
bool on_or_off(const std::string& text, const std::string& flag);

}  // namespace options
}  // namespace tofn
