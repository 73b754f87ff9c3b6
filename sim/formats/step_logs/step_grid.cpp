#include "sim/formats/step_logs/step_grid.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace formats {
namespace {

StepGrid grid_of_csv(const LogText& log, const LogLine& header) {
  std::vector<std::string> remarks;
  const CsvTable csv = CsvTable::parse_whole_rows(log.whole, log.file, remarks);
  StepGrid grid{.names = {csv.columns().begin(), csv.columns().end()},
                .header = header,
                .rows = {},
                .remarks = std::move(remarks)};
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    std::vector<StepCell> cells;
    for (const std::string& name : grid.names) {
      const Location place = csv.location(i, name);
      LogLine line;
      line.number = place.line;
      cells.push_back({.text = csv.at(i, name), .line = line, .column = place.column});
    }
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

StepGrid grid_of_blanks(const LogText& log, const LogLine& header) {
  StepGrid grid{.names = {}, .header = header, .rows = {}};
  for (const LogWord& word : header.words()) grid.names.emplace_back(word.text);
  for (const LogLine& line : log.lines) {
    if (line.number <= header.number || line.is_comment() || trimmed(line.text).empty()) continue;
    std::vector<StepCell> cells;
    for (const LogWord& word : line.words())
      cells.push_back({.text = std::string(word.text), .line = line, .column = word.column});
    if (cells.size() < grid.names.size() && log.lacks_end(line)) {
      grid.remarks.push_back(log.remark(line, "left out: the last line is cut"));
      continue;
    }
    if (cells.size() != grid.names.size())
      throw InputError(
          log.location(line), {},
          fmt::format("row has {} words, the header has {}", cells.size(), grid.names.size()));
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

}  // namespace

std::optional<LogLine> table_header(const LogText& log) {
  for (const LogLine& line : log.lines)
    if (!line.is_comment() && !trimmed(line.text).empty()) return line;
  return {};
}

bool has_commas(const LogLine& header) { return header.text.find(',') != std::string_view::npos; }

StepGrid step_grid(const LogText& log, const LogLine& header) {
  return has_commas(header) ? grid_of_csv(log, header) : grid_of_blanks(log, header);
}

void leave_out_half_written(const LogText& log, StepGrid& grid) {
  if (log.whole.ends_with('\n') || grid.rows.size() < 2) return;
  const LogLine& line = grid.rows.back().front().line;
  if (line.number != log.lines.back().number) return;
  grid.remarks.push_back(
      log.remark(line, "left out: the last line has no end, and a figure of it may be cut"));
  grid.rows.pop_back();
}

}  // namespace formats
}  // namespace tofn
