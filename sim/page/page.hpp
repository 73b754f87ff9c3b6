#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace page {

/// Numbers of accelerators that a chart needs.
enum class Sizes { Any, One, Several };

/// A drawing of one table, made by a file of `charts/`.
struct Chart {
  std::string_view name;
  std::string_view title;
  std::string_view reading;  ///< one or two sentences on what it shows and how to read it
  Sizes sizes = Sizes::Any;
};

/// A kind of table that `tofn` writes.
struct OutputKind {
  std::string_view name;
  std::string_view title;
  std::string_view writer;                    ///< command that writes it
  std::span<const std::string_view> columns;  ///< that distinguish it from other tables
  std::span<const Chart> charts;              ///< empty: it is shown as a table
  bool can_be_joined = false;                 ///< rows of several files make one table
};

/// Every kind; the last one is any table. To add a chart, add a file, and a row in a kind's charts.
std::span<const OutputKind> output_kinds();

/// The first kind whose columns are all in the table.
const OutputKind& kind_of(std::span<const std::string> columns);

/// One table of a page.
struct PageTable {
  const OutputKind* kind = nullptr;
  std::string origin;  ///< file or command that it comes from
  Records records;
  std::size_t rows_in_all = 0;         ///< `records` may be a sample of them
  std::vector<std::string> answers{};  ///< text of the answer for people, from each file
};

/// Charts of the table's kind that fit its rows; for example, no curve over sizes for a single one.
std::vector<Chart> charts_of(const PageTable&);

/// True if the program was built with the chart library, which pages need.
bool has_chart_library();

/// One self-contained HTML document: the tables, the chart library with its licence, and scripts
/// that draw them. Equal tables give equal bytes. `program` names the program that wrote it.
std::string page_html(std::span<const PageTable> tables, std::string_view program);

/// Escapes JSON for a <script>, so that the HTML parser sees no `<`.
std::string for_script(std::string json);

}  // namespace page
}  // namespace tofn
