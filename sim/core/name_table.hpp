#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tofn {

/// Name of a value in a table of names; empty if it has none.
template <class E, std::size_t N>
constexpr std::string_view name_in(const std::array<std::pair<std::string_view, E>, N>& table,
                                   E wanted) {
  for (const auto& [name, value] : table)
    if (value == wanted) return name;
  return {};
}

template <class E>
std::string_view name_in(std::span<const std::pair<std::string_view, E>> table, E wanted) {
  for (const auto& [name, value] : table)
    if (value == wanted) return name;
  return {};
}

/// Name of an enum's value in its own table (`names_of`).
template <class E>
requires std::is_enum_v<E>
constexpr std::string_view name_of(E choice) { return name_in(names_of(choice), choice); }

}  // namespace tofn
