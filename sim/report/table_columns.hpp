#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/core/rows.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

/// Value formatted by a pattern; `-` if it is absent.
std::string cell_text(const Value&, std::string_view pattern);
/// Number that a value holds.
double number_in(const Value&);
/// Value by a pattern or a function of a number; `-` if it is absent.
template <class Format>
std::string cell_by(const Format& format, const Value& value) {
  if constexpr (std::is_convertible_v<Format, std::string_view>)
    return cell_text(value, format);
  else
    return std::holds_alternative<std::monostate>(value) ? "-" : format(number_in(value));
}

/// Display of a column for people. `format` is a pattern of fmt for its value (`{:.1f}`), a
/// function of a number, or a function of the whole row if the cell shows more than the value.
template <class Format>
struct Shown {
  TextColumn column;
  Format format;
};
/// Column with its cells aligned to the right.
template <class Format = const char*>
Shown<Format> right(std::string head, Format format = "{}") {
  return {{std::move(head), Align::Right}, std::move(format)};
}
/// Column with its cells aligned to the left.
template <class Format = const char*>
Shown<Format> left(std::string head, Format format = "{}") {
  return {{std::move(head), Align::Left}, std::move(format)};
}
/// Text of a figure of the row, by a format.
template <class Figure, class Format>
auto formatted(Figure figure, Format format) {
  return [=](const auto& row) { return cell_by(format, to_value(std::invoke(figure, row))); };
}
/// Column for people only: a figure of the row, and its format.
template <class Figure, class Format>
auto right(std::string head, Figure figure, Format format) {
  return right(std::move(head), formatted(figure, format));
}
template <class Figure, class Format>
auto left(std::string head, Figure figure, Format format) {
  return left(std::move(head), formatted(figure, format));
}

/// Column whose cells are blank where the figure is absent.
template <class Figure, class Format>
auto right_or_blank(std::string head, Figure figure, Format format) {
  return right(std::move(head), [=](const auto& row) {
    const Value value = to_value(std::invoke(figure, row));
    return std::holds_alternative<std::monostate>(value) ? "" : cell_by(format, value);
  });
}

/// A column of text, CSV and JSON alike: its name, its value, and its display for people.
template <class Row>
struct TableColumn : Column<Row> {
  /// Column for machines only.
  template <class Figure>
  TableColumn(std::string name_, Figure figure, std::string_view meaning_ = {})
      : Column<Row>(std::move(name_), std::move(figure), meaning_) {}

  /// Column for both.
  template <class Figure, class Format>
  TableColumn(std::string name_, Figure figure, Shown<Format> shown, std::string_view meaning_ = {})
      : Column<Row>(std::move(name_), std::move(figure), meaning_),
        head(std::move(shown.column)),
        cell([of = this->value, format = std::move(shown.format)](const Row& row) {
          if constexpr (std::is_invocable_v<Format, const Row&>)
            return cell_text(to_value(std::invoke(format, row)), "{}");
          else
            return cell_by(format, of(row));
        }) {}

  /// Column for people only, with a figure of the row as its text.
  template <class Format>
  TableColumn(Shown<Format> shown, std::string_view meaning_ = {})
      : TableColumn(
            "", [](const Row&) { return Value{}; }, std::move(shown), meaning_) {}

  TextColumn head;
  std::function<std::string(const Row&)> cell;  ///< empty if it is for machines only
};

/// Columns of a table in order, each once.
template <class Row>
using TableColumns = std::vector<TableColumn<Row>>;

/// Table for people, without the columns that have these heads.
template <class Row, class Rows>
std::string table_text(const TableColumns<Row>& columns, Rows&& rows,
                       std::initializer_list<std::string_view> without = {}) {
  std::vector<const TableColumn<Row>*> shown;
  std::vector<TextColumn> heads;
  for (const auto& column : columns) {
    if (!column.cell || std::ranges::count(without, column.head.header)) continue;
    shown.push_back(&column);
    heads.push_back(column.head);
  }
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) {
    cells.emplace_back();
    for (const auto* column : shown) cells.back().push_back(column->cell(row));
  }
  return text_table(heads, cells);
}

template <class Row>
std::vector<ColumnWords> words_of(const TableColumns<Row>& columns) {
  std::vector<ColumnWords> all;
  for (const auto& column : columns) {
    const std::string& head = column.head.header;
    all.push_back({column.name.empty() ? head : column.name, column.meaning, head});
  }
  return all;
}

/// A table for machines with the words of its columns, which the glossary has.
struct ExplainedRecords : Records {
  std::vector<ColumnWords> words;
};
template <class Row, class Rows>
ExplainedRecords records_of(const TableColumns<Row>& columns, const Rows& rows) {
  Columns<Row> named;
  for (const auto& column : columns)
    if (!column.name.empty()) named.push_back(column);
  return {records_of(named, rows), words_of(columns)};
}

/// Adds the words of another table of the answer, which only people see.
template <class Row>
ExplainedRecords with_words_of(const TableColumns<Row>& columns, ExplainedRecords records) {
  for (ColumnWords& each : words_of(columns)) records.words.push_back(std::move(each));
  return records;
}

}  // namespace report
}  // namespace tofn
