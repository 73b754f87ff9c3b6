#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tofn {

/// The name of a value in a table of names; empty where it has none.
template <class E, std::size_t N>
constexpr std::string_view name_in(const std::array<std::pair<std::string_view, E>, N>& table,
                                   E wanted) {
  for (const auto& [name, value] : table)
    if (value == wanted) return name;
  return {};
}

}  // namespace tofn
