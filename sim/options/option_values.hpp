#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {

// Values of options that were declared as text. Absent: not given. A bad one is an InputError that
// names the option.

std::optional<std::string> text_option(const options::variables_map&, const char* name);
/// A whole number from 1 to `most`.
std::optional<int> count_option(const options::variables_map&, const char* name,
                                int most = 1'000'000);
/// `on` or `off`.
std::optional<bool> switch_option(const options::variables_map&, const char* name);

template <class E, std::size_t N>
std::optional<E> choice_option(const options::variables_map& values, const char* name,
                               const std::array<std::pair<std::string_view, E>, N>& table) {
  const auto text = text_option(values, name);
  if (!text) return {};
  std::vector<std::string> valid;
  for (const auto& [each, value] : table) {
    if (each == *text) return value;
    valid.emplace_back(each);
  }
  throw InputError({}, std::string("--") + name, unknown_name("value", *text, valid));
}

/// `8`, `8,64,512`, `8..512` (8 and its doublings up to 512) or a mix: ascending, each once.
/// InputError naming -N where it is none of these.
std::vector<int> accelerator_counts(const std::string& text);

}  // namespace tofn
