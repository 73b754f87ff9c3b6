#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/rows.hpp"
#include "sim/page/kinds.hpp"

namespace tofn {

/// One table of a page.
struct PageTable {
  const OutputKind* kind = nullptr;
  std::string origin;  ///< the file or the command that it comes from
  Records records;
};

/// Whether the chart library was there when this program was built; without it there is no page.
bool has_chart_library();

/// One HTML document that needs nothing else: the tables, the chart library with its licence, and
/// what draws them. Equal tables give equal bytes. `program` names what wrote it.
std::string page_html(std::span<const PageTable> tables, std::string_view program);

/// JSON that may stand inside a <script>: no `<` of it is left for the HTML parser to see.
std::string for_script(std::string json);

}  // namespace tofn
