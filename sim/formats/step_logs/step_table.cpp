// Tables with a header, separated by commas, or by blanks if the header has no comma. A row is one
// figure of one configuration; with the column `step`, rows are the single steps of a run, in
// order.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/csv.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Names of columns beside those of sizes; the first of each is its key.
constexpr std::array<std::string_view, 6> figure_columns{
    "step_s step_seconds step_time_s seconds_per_step s_per_step",
    "step_ms step_time_ms steady_step_ms ms_per_step",
    "step iteration",
    "steps",
    "spread",
    "source"};

std::string_view key_of_column(std::string_view names) { return names.substr(0, names.find(' ')); }

/// Key of the column with that name; empty if it is not known.
std::string_view column_named(std::string_view name) {
  const std::string lower = lower_case(trimmed(name));
  std::string_view key;
  const auto look = [&](std::string_view names) {
    each_part(names, " ", [&](std::string_view each) {
      if (each == lower) key = key_of_column(names);
    });
  };
  each_size([&](const auto& size) { look(size.columns); });
  for (const std::string_view names : figure_columns) look(names);
  return key;
}

/// A cell at its place in the file, and the key of its column.
struct StepCell {
  std::string_view key;
  std::string text;
  LogLine line;
  int column = 0;
};
using StepRow = std::vector<StepCell>;

/// A table whose rows have as many cells as the header.
struct StepGrid {
  std::vector<std::string> names{};
  std::vector<StepRow> rows{};
  std::vector<std::string> remarks{};
};

StepGrid grid_of_csv(const LogText& log) {
  StepGrid grid;
  const CsvTable csv = CsvTable::parse_whole_rows(log.whole, log.file, grid.remarks);
  grid.names.assign(csv.columns().begin(), csv.columns().end());
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    StepRow& row = grid.rows.emplace_back();
    for (const std::string& name : grid.names) {
      const Location place = csv.location(i, name);
      row.push_back(
          {column_named(name), csv.at(i, name), {.text = {}, .number = place.line}, place.column});
    }
  }
  return grid;
}

StepGrid grid_of_blanks(const LogText& log, const LogLine& header) {
  StepGrid grid;
  for (const LogWord& word : header.words()) grid.names.emplace_back(word.text);
  for (const LogLine& line : log.lines) {
    if (line.number <= header.number || line.is_comment() || trimmed(line.text).empty()) continue;
    const auto words = line.words();
    if (words.size() < grid.names.size() && log.lacks_end(line)) {
      grid.remarks.push_back(log.remark(line, "left out: the last line is cut"));
      continue;
    }
    if (words.size() != grid.names.size())
      throw InputError(
          log.location(line), {},
          fmt::format("row has {} words, the header has {}", words.size(), grid.names.size()));
    StepRow& row = grid.rows.emplace_back();
    for (const LogWord& word : words)
      row.push_back(
          {column_named(grid.names[row.size()]), std::string(word.text), line, word.column});
  }
  return grid;
}

bool has_commas(const LogLine& header) { return header.text.find(',') != std::string_view::npos; }

/// Leaves out the last line of a run that is still printing, because a figure may be cut.
void leave_out_half_written(const LogText& log, StepGrid& grid) {
  if (log.whole.ends_with('\n') || grid.rows.size() < 2) return;
  const LogLine& line = grid.rows.back().front().line;
  if (line.number != log.lines.back().number) return;
  grid.remarks.push_back(log.remark(line, half_written_text));
  grid.rows.pop_back();
}

[[noreturn]] void refuse_cell(const LogText& log, const StepCell& cell, std::string_view key,
                              const std::string& problem) {
  throw InputError(log.location(cell.line, LogWord{cell.text, cell.column}), std::string(key),
                   problem + " is '" + shortened(cell.text) + "'");
}

/// Cell of a row in the column of that key; nullptr if it is empty or absent.
const StepCell* find(const StepRow& row, std::string_view key) {
  for (const StepCell& cell : row)
    if (cell.key == key && !cell.text.empty()) return &cell;
  return nullptr;
}

std::optional<int> count_in(const LogText& log, const StepRow& row, std::string_view key) {
  const StepCell* cell = find(row, key);
  const auto value = cell == nullptr ? std::nullopt : parse_count(cell->text);
  if (cell != nullptr && !value) refuse_cell(log, *cell, key, "must be a whole number from 1");
  return value;
}

double seconds_in(const LogText& log, const StepRow& row) {
  for (const auto& [key, unit] : {std::pair{"step_s", 1.0}, {"step_ms", 1e-3}})
    if (const StepCell* cell = find(row, key)) {
      const double value =
          number_at(log, cell->line, LogWord{cell->text, cell->column}, key) * unit;
      if (is_step_time(value)) return value;
      refuse_cell(log, *cell, key, "must be above 0 and at most a million seconds,");
    }
  refuse_cell(log, row.front(), "step_s", "the row has no time; its first cell");
}

/// Configuration of the row, without steps.
LoggedSteps run_of_row(const LogText& log, const StepRow& row) {
  LoggedSteps run;
  run.line = row.front().line;
  if (const StepCell* source = find(row, "source")) run.source = source->text;
  each_size([&](const auto& size) {
    if (size.hint == nullptr) return;
    run.sizes.*size.logged = count_in(log, row, key_of_column(size.columns));
  });
  double spread = 0;
  const StepCell* cell = find(row, "spread");
  if (cell == nullptr) return run;
  if (!parse_number(cell->text, spread) || spread < 0 || spread > 1)
    refuse_cell(log, *cell, "spread", "must be a number from 0 to 1");
  run.spread = spread;
  return run;
}

/// Notes columns that are not read; InputError if two columns state the same quantity.
void check_columns(const LogText& log, const LogLine& header, const StepGrid& grid,
                   LoggedRuns& read) {
  std::vector<std::string_view> seen;
  std::vector<std::string> ignored;
  for (const std::string& name : grid.names) {
    const std::string_view key = column_named(name);
    if (key.empty()) {
      ignored.push_back(shortened(name));
      continue;
    }
    if (std::ranges::find(seen, key) != seen.end())
      throw InputError(log.location(header), name, "is a second column of the same meaning");
    seen.push_back(key);
  }
  if (!ignored.empty())
    read.remarks.push_back(log.remark(header, "columns not read: " + choices(ignored)));
}

}  // namespace

bool is_step_table(const LogText& log) {
  const LogLine* header = log.head();
  if (header == nullptr) return false;
  std::string text(header->text);
  for (char& each : text)
    if (each == '\t' || each == '"') each = ' ';
  bool has_time = false;
  each_part(text, has_commas(*header) ? "," : " ",
            [&](std::string_view name) { has_time |= column_named(name).starts_with("step_"); });
  return has_time;
}

LoggedRuns read_step_table(const LogText& log, const StepHints&) {
  const LogLine& header = *log.head();
  StepGrid grid = has_commas(header) ? grid_of_csv(log) : grid_of_blanks(log, header);
  LoggedRuns read;
  check_columns(log, header, grid, read);
  const bool has_steps = std::ranges::any_of(
      grid.names, [](const auto& name) { return column_named(name) == "step"; });
  if (has_steps) leave_out_half_written(log, grid);
  read.remarks.insert(read.remarks.end(), grid.remarks.begin(), grid.remarks.end());
  for (const StepRow& row : grid.rows) {
    LoggedSteps run = run_of_row(log, row);
    run.is_one_figure = !has_steps;
    const LoggedStep step{.seconds = seconds_in(log, row),
                          .steps = has_steps ? 1.0 : count_in(log, row, "steps").value_or(1),
                          .line = run.line};
    auto same = std::ranges::find_if(read.runs, [&](const auto& other) {
      return has_steps && other.source == run.source && other.sizes == run.sizes;
    });
    if (same == read.runs.end()) same = read.runs.insert(same, std::move(run));
    same->steps.push_back(step);
  }
  return read;
}

}  // namespace formats
}  // namespace tofn
