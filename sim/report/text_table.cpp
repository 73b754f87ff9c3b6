#include "sim/report/text_table.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace tofn {
inline namespace report {

void TextTable::add(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::render() const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = columns_[c].header.size();
    for (const auto& row : rows_) width = std::max(width, row[c].size());
    widths.push_back(width);
  }
  const auto line = [&](const auto& cell_of) {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string gap = c == 0 ? "" : " ";
      text += columns_[c].align == Align::Left
                  ? fmt::format("{}{:<{}}", gap, cell_of(c), widths[c])
                  : fmt::format("{}{:>{}}", gap, cell_of(c), widths[c]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  };
  std::string text = line([&](std::size_t c) { return columns_[c].header; });
  text += line([&](std::size_t c) { return std::string(widths[c], '-'); });
  for (const auto& row : rows_) text += line([&](std::size_t c) { return row[c]; });
  return text;
}

std::string fitted(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 2) + "..";
}

}  // namespace report
}  // namespace tofn
