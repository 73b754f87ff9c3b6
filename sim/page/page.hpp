#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace page {

/// Of how many numbers of accelerators a chart is.
enum class Sizes { Any, One, Several };

/// A drawing of one table: a file of `charts/` makes it.
struct Chart {
  std::string_view name;
  std::string_view title;
  std::string_view reading;  ///< one or two sentences: what is drawn, and how to read it
  Sizes sizes = Sizes::Any;
};

/// A kind of table that `tofn` writes.
struct OutputKind {
  std::string_view name;
  std::string_view title;
  std::string_view writer;                    ///< the command that writes it
  std::span<const std::string_view> columns;  ///< what tells it from other tables
  std::span<const Chart> charts;              ///< none: it is shown as a table
  bool can_be_joined = false;                 ///< rows of several files make one table
};

/// Every kind, the last one being any table. A new chart is a row in a kind's charts and a file.
std::span<const OutputKind> output_kinds();

/// The first kind whose columns are all there.
const OutputKind& kind_of(std::span<const std::string> columns);

/// One table of a page.
struct PageTable {
  const OutputKind* kind = nullptr;
  std::string origin;  ///< the file or the command that it comes from
  Records records;
  std::size_t rows_in_all = 0;         ///< of which `records` may be a sample
  std::vector<std::string> answers{};  ///< what people read of it, of each file
};

/// The charts of its kind that suit its rows: a curve over sizes is none of a single one.
std::vector<Chart> charts_of(const PageTable&);

/// Whether the chart library was there when this program was built; without it there is no page.
bool has_chart_library();

/// One HTML document that needs nothing else: the tables, the chart library with its licence, and
/// what draws them. Equal tables give equal bytes. `program` names what wrote it.
std::string page_html(std::span<const PageTable> tables, std::string_view program);

/// JSON that may stand inside a <script>: no `<` of it is left for the HTML parser to see.
std::string for_script(std::string json);

}  // namespace page
}  // namespace tofn
