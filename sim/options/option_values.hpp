#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace options {

// Values of options that were declared as text. Absent: not given. A bad one is an InputError that
// names the option.

/// `a,b,c` -> its parts, without empty ones.
std::vector<std::string> split_list(const std::string& text);

/// The options with one more that is text.
options::variables_map with_option(options::variables_map, const char* name, std::string text);

std::optional<std::string> text_option(const options::variables_map&, const char* name);
/// A whole number from 1 to `most`.
std::optional<int> count_option(const options::variables_map&, const char* name,
                                int most = 1'000'000);
/// Tokens of a sample, `--sequence-length`: a whole number, or one of 1024s as the field writes it,
/// `8k` for 8192.
std::optional<int> sequence_length_option(const options::variables_map&);
/// Whole numbers from 0 on, as they stand: `7,8,8,7`.
std::optional<std::vector<int>> numbers_option(const options::variables_map&, const char* name);
/// `on` or `off`.
std::optional<bool> switch_option(const options::variables_map&, const char* name);

/// `25MiB` -> `25 MiB`: a shell would want quotes around the space that files have.
std::string with_space_before_unit(const std::string& text);

/// An amount with its unit that is above zero, `2s` or `2 s`; `option` is named where it is not.
template <class Q>
Q amount_of(const std::string& text, const std::string& option) {
  try {
    const Q amount = parse_quantity<Q>(with_space_before_unit(text));
    if (amount > Q(0)) return amount;
  } catch (const std::invalid_argument& error) {
    throw InputError({}, option, error.what());
  }
  throw InputError({}, option, "must be more than zero, got '" + shortened(text) + "'");
}

template <class Q>
std::optional<Q> quantity_option(const options::variables_map& values, const char* name) {
  const auto text = text_option(values, name);
  if (!text) return {};
  return amount_of<Q>(*text, std::string("--") + name);
}

template <class E>
std::optional<E> choice_option(const options::variables_map& values, const char* name,
                               std::span<const std::pair<std::string_view, E>> table) {
  const auto text = text_option(values, name);
  if (!text) return {};
  std::vector<std::string> valid;
  for (const auto& [each, value] : table) {
    if (each == *text) return value;
    valid.emplace_back(each);
  }
  throw InputError({}, std::string("--") + name, unknown_name("value", *text, valid));
}
template <class E, std::size_t N>
std::optional<E> choice_option(const options::variables_map& values, const char* name,
                               const std::array<std::pair<std::string_view, E>, N>& table) {
  return choice_option<E>(values, name, std::span(table));
}

/// `8`, `8,64,512`, `8..512` (8 and its doublings up to 512) or a mix: ascending, each once.
/// InputError naming the option where it is none of these.
std::vector<int> counts_of(const std::string& text, const std::string& option);

}  // namespace options
}  // namespace tofn
