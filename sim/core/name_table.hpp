#pragma once

#include <array>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tofn {

/// Name of a value in a table of names; empty if it has none.
template <class Table, class E>
constexpr std::string_view name_in(const Table& table, const E& wanted) {
  for (const auto& [name, value] : table)
    if (value == wanted) return name;
  return {};
}

/// Name of an enum's value in its own table (`names_of`).
template <class E>
requires std::is_enum_v<E>
constexpr std::string_view name_of(E choice) { return name_in(names_of(choice), choice); }

}  // namespace tofn
