#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tofn {

/// A drawing of one table: `charts/NAME.js` makes it.
struct Chart {
  std::string_view name;
  std::string_view title;
  std::string_view reading;  ///< one or two sentences: what is drawn, and how to read it
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

}  // namespace tofn
