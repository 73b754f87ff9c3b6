#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/core/name_table.hpp"

namespace tofn {

/// A machine-readable cell: empty, a number or text.
using Value = std::variant<std::monostate, double, long long, std::string>;

/// Rows of named cells. Column names include their unit.
struct Records {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
};

/// Cell of a figure: a number, 1 or 0 for a bool, text, or the text or name of an enum value. An
/// absent figure gives an empty cell.
template <class T>
Value to_value(const T& figure) {
  if constexpr (std::is_same_v<T, Value> || std::is_floating_point_v<T>)
    return figure;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<long long>(figure);
  else if constexpr (requires { figure.has_value(); })
    return figure ? to_value(*figure) : Value{};
  else if constexpr (std::is_constructible_v<std::string, const T&>)
    return std::string(figure);
  else if constexpr (requires { to_text(figure); })
    return std::string(to_text(figure));
  else
    return std::string(name_of(figure));
}

/// Returns the text; absent if it is empty.
inline std::optional<std::string> known(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

/// A column of a table: its name, and the function that gives a row's value.
template <class Row>
struct Column {
  /// `figure` is a member of Row or a function of a Row.
  template <class Figure>
  Column(std::string name_, Figure figure, std::string_view meaning_ = {})
      : name(std::move(name_)),
        value([figure](const Row& row) { return to_value(std::invoke(figure, row)); }),
        meaning(meaning_) {}

  std::string name;
  std::function<Value(const Row&)> value;
  std::string meaning;  ///< meaning or formula; empty if the name is clear enough
};

/// Columns of a table in order, each with its name beside its value.
template <class Row>
using Columns = std::vector<Column<Row>>;

/// Name, meaning and head of a column, for readers.
struct ColumnWords {
  std::string name;     ///< for a column for people only, its head
  std::string meaning;  ///< empty if the name explains it, or another column of that name does
  std::string head{};   ///< empty if it is for machines only
};
template <class Row>
std::vector<ColumnWords> words_of(const Columns<Row>& columns) {
  std::vector<ColumnWords> all;
  for (const Column<Row>& column : columns) all.push_back({column.name, column.meaning});
  return all;
}

template <class Row, class Rows>
Records records_of(const Columns<Row>& columns, const Rows& rows) {
  Records records;
  for (const Column<Row>& column : columns) records.columns.push_back(column.name);
  for (const auto& row : rows) {
    auto& cells = records.rows.emplace_back();
    for (const Column<Row>& column : columns) cells.push_back(column.value(row));
  }
  return records;
}

/// Figure of a part of the row; empty if the part, an optional or a pointer, is absent.
template <class Part, class Figure>
auto of_its(Part part, Figure figure) {
  return [=](const auto& row) {
    const auto& its = std::invoke(part, row);
    if constexpr (requires { *its; })
      return its ? to_value(std::invoke(figure, *its)) : Value{};
    else
      return to_value(std::invoke(figure, its));
  };
}
/// Figure of a part of a part.
template <class Part, class Next, class Deeper, class... Deepest>
auto of_its(Part part, Next next, Deeper deeper, Deepest... deepest) {
  return of_its(part, of_its(next, deeper, deepest...));
}

}  // namespace tofn
