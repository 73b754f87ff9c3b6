#include <cassert>

#include "sim/blocks/csv_rows.hpp"
#include "sim/blocks/formats.hpp"
#include "sim/blocks/output_file.hpp"
#include "sim/core/json.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace blocks {
namespace {

constexpr std::size_t write_at = 1 << 20;  // bytes

std::string json_cell(const std::string& cell, CellType type) {
  if (cell.empty()) return "null";
  if (type == CellType::Text) return json_text(cell);
  double value = 0;
  return parse_number(cell, value) ? cell : "null";  // null if not finite
}

}  // namespace

bool write_jsonl(const std::filesystem::path& csv, std::span<const OutputColumn> columns,
                 const std::filesystem::path& to, const std::function<bool()>& is_stopped) {
  OutputFile file(to);
  std::string text;
  std::vector<std::string> keys;
  for (const OutputColumn& column : columns) keys.push_back(json_text(column.name) + ": ");
  const bool is_whole =
      for_each_csv_row(csv, is_stopped, [&](const std::vector<std::string>& cells) {
        assert(cells.size() == columns.size());
        for (std::size_t c = 0; c < cells.size(); ++c)
          text += (c == 0 ? "{" : ", ") + keys[c] + json_cell(cells[c], columns[c].type);
        text += "}\n";
        if (text.size() < write_at) return;
        file.write(text);
        text.clear();
      });
  file.write(text);
  return is_whole;
}

}  // namespace blocks
}  // namespace tofn
