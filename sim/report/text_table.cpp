#include "sim/report/text_table.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace tofn {
inline namespace report {

std::string text_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = columns[c].header.size();
    for (const auto& row : rows) {
      assert(row.size() == columns.size());
      width = std::max(width, row[c].size());
    }
    widths.push_back(width);
  }
  const auto line = [&](const auto& cell_of) {
    std::string text;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string gap = c == 0 ? "" : " ";
      text += columns[c].align == Align::Left ? fmt::format("{}{:<{}}", gap, cell_of(c), widths[c])
                                              : fmt::format("{}{:>{}}", gap, cell_of(c), widths[c]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  };
  std::string text = line([&](std::size_t c) { return columns[c].header; });
  text += line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : rows) text += line([&](std::size_t c) { return row[c]; });
  return text;
}

std::string fitted(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 2) + "..";
}

}  // namespace report
}  // namespace tofn
