// Tables with a header, separated by commas, or by blanks if the header has no comma. A row is one
// figure of one configuration; with the column `step`, rows are the single steps of a run, in
// order.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_grid.hpp"

namespace tofn {
inline namespace formats {
namespace {

enum class StepColumn {
  Batch,
  Accelerators,
  Tensor,
  Pipeline,
  Context,
  MicroBatch,
  Accumulation,
  SequenceLength,
  Seconds,
  Milliseconds,
  Step,
  Steps,
  Spread,
  Source
};

constexpr std::array<std::pair<std::string_view, StepColumn>, 41> column_names{{
    {"batch", StepColumn::Batch},
    {"global_batch", StepColumn::Batch},
    {"global_batch_size", StepColumn::Batch},
    {"gbs", StepColumn::Batch},
    {"accelerators", StepColumn::Accelerators},
    {"gpus", StepColumn::Accelerators},
    {"n", StepColumn::Accelerators},
    {"tp", StepColumn::Tensor},
    {"tensor_parallel", StepColumn::Tensor},
    {"tensor_parallel_size", StepColumn::Tensor},
    {"pp", StepColumn::Pipeline},
    {"pipeline_parallel", StepColumn::Pipeline},
    {"pipeline_parallel_size", StepColumn::Pipeline},
    {"cp", StepColumn::Context},
    {"context_parallel", StepColumn::Context},
    {"context_parallel_size", StepColumn::Context},
    {"micro_batch", StepColumn::MicroBatch},
    {"micro_batch_size", StepColumn::MicroBatch},
    {"mbs", StepColumn::MicroBatch},
    {"grad_accum", StepColumn::Accumulation},
    {"ga", StepColumn::Accumulation},
    {"accumulation", StepColumn::Accumulation},
    {"gradient_accumulation", StepColumn::Accumulation},
    {"gradient_accumulation_steps", StepColumn::Accumulation},
    {"sequence_length", StepColumn::SequenceLength},
    {"seq_length", StepColumn::SequenceLength},
    {"seq_len", StepColumn::SequenceLength},
    {"step_s", StepColumn::Seconds},
    {"step_seconds", StepColumn::Seconds},
    {"step_time_s", StepColumn::Seconds},
    {"seconds_per_step", StepColumn::Seconds},
    {"s_per_step", StepColumn::Seconds},
    {"step_ms", StepColumn::Milliseconds},
    {"step_time_ms", StepColumn::Milliseconds},
    {"steady_step_ms", StepColumn::Milliseconds},
    {"ms_per_step", StepColumn::Milliseconds},
    {"step", StepColumn::Step},
    {"iteration", StepColumn::Step},
    {"steps", StepColumn::Steps},
    {"spread", StepColumn::Spread},
    {"source", StepColumn::Source},
}};

std::optional<StepColumn> column_named(std::string_view name) {
  const std::string lower = lower_case(trimmed(name));
  for (const auto& [known, column] : column_names)
    if (known == lower) return column;
  return {};
}

/// Cells of a row, found by column.
class Row {
 public:
  Row(const LogText& log, const StepGrid& grid, const std::vector<StepCell>& cells)
      : log_(log), grid_(grid), cells_(cells) {}

  const StepCell* find(StepColumn column) const {
    for (std::size_t i = 0; i < cells_.size(); ++i)
      if (column_named(grid_.names[i]) == column && !cells_[i].text.empty()) return &cells_[i];
    return nullptr;
  }
  std::optional<int> count(StepColumn column, const char* key) const {
    const StepCell* cell = find(column);
    if (cell == nullptr) return {};
    const auto value = parse_count(cell->text);
    if (!value) refuse(*cell, key, "must be a whole number from 1");
    return value;
  }
  std::optional<double> share(StepColumn column, const char* key) const {
    const StepCell* cell = find(column);
    if (cell == nullptr) return {};
    double value = 0;
    if (!parse_number(cell->text, value) || value < 0 || value > 1)
      refuse(*cell, key, "must be a number from 0 to 1");
    return value;
  }
  double seconds() const {
    for (const auto& [column, key, unit] : {std::tuple{StepColumn::Seconds, "step_s", 1.0},
                                            {StepColumn::Milliseconds, "step_ms", 1e-3}})
      if (const StepCell* cell = find(column))
        return step_seconds_at(log_, cell->line, LogWord{cell->text, cell->column}, key, unit);
    refuse(cells_.front(), "step_s", "the row has no time; its first cell");
  }
  const LogLine& line() const { return cells_.front().line; }

 private:
  [[noreturn]] void refuse(const StepCell& cell, const char* key,
                           const std::string& problem) const {
    throw InputError(log_.location(cell.line, LogWord{cell.text, cell.column}), key,
                     problem + " is '" + shortened(cell.text) + "'");
  }

  const LogText& log_;
  const StepGrid& grid_;
  const std::vector<StepCell>& cells_;
};

LoggedSizes sizes_of(const Row& row) {
  LoggedSizes sizes;
  sizes.accelerators = row.count(StepColumn::Accelerators, "accelerators");
  sizes.global_batch = row.count(StepColumn::Batch, "batch");
  sizes.tensor_parallel_size = row.count(StepColumn::Tensor, "tp");
  sizes.pipeline_parallel_size = row.count(StepColumn::Pipeline, "pp");
  sizes.context_parallel_size = row.count(StepColumn::Context, "cp");
  sizes.micro_batch = row.count(StepColumn::MicroBatch, "micro_batch");
  sizes.gradient_accumulation = row.count(StepColumn::Accumulation, "grad_accum");
  sizes.sequence_length = row.count(StepColumn::SequenceLength, "sequence_length");
  return sizes;
}

bool are_equal(const LoggedSizes& a, const LoggedSizes& b) {
  return a.accelerators == b.accelerators && a.global_batch == b.global_batch &&
         a.tensor_parallel_size == b.tensor_parallel_size &&
         a.pipeline_parallel_size == b.pipeline_parallel_size &&
         a.context_parallel_size == b.context_parallel_size && a.micro_batch == b.micro_batch &&
         a.gradient_accumulation == b.gradient_accumulation &&
         a.sequence_length == b.sequence_length;
}

LoggedSteps run_of(const Row& row, bool is_one_figure) {
  LoggedSteps run;
  if (const StepCell* source = row.find(StepColumn::Source)) run.source = source->text;
  run.sizes = sizes_of(row);
  run.spread = row.share(StepColumn::Spread, "spread");
  run.is_one_figure = is_one_figure;
  run.line = row.line();
  return run;
}

/// Notes columns that are not read; InputError if two columns state the same quantity.
void check_columns(const LogText& log, const StepGrid& grid, LoggedRuns& read) {
  std::vector<StepColumn> seen;
  std::vector<std::string> ignored;
  for (const std::string& name : grid.names) {
    const auto column = column_named(name);
    if (!column) {
      ignored.push_back(shortened(name));
      continue;
    }
    if (std::find(seen.begin(), seen.end(), *column) != seen.end())
      throw InputError(log.location(grid.header), name, "is a second column of the same meaning");
    seen.push_back(*column);
  }
  if (!ignored.empty())
    read.remarks.push_back(log.remark(grid.header, "columns not read: " + choices(ignored)));
}

}  // namespace

bool is_step_table(const LogText& log) {
  const auto header = table_header(log);
  if (!header) return false;
  const char separator = has_commas(*header) ? ',' : ' ';
  std::string text(header->text);
  std::replace_if(
      text.begin(), text.end(), [&](char c) { return c == '\t' || c == '"'; }, ' ');
  bool has_time = false;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    const auto column = column_named(std::string_view(text).substr(start, end - start));
    has_time = has_time || column == StepColumn::Seconds || column == StepColumn::Milliseconds;
    start = end + 1;
  }
  return has_time;
}

LoggedRuns read_step_table(const LogText& log, const StepHints&) {
  const LogLine header = *table_header(log);
  StepGrid grid = step_grid(log, header);
  LoggedRuns read;
  check_columns(log, grid, read);
  const bool has_steps = std::any_of(grid.names.begin(), grid.names.end(), [](const auto& name) {
    return column_named(name) == StepColumn::Step;
  });
  if (has_steps) leave_out_half_written(log, grid);
  read.remarks.insert(read.remarks.end(), grid.remarks.begin(), grid.remarks.end());
  for (const auto& cells : grid.rows) {
    const Row row(log, grid, cells);
    LoggedSteps run = run_of(row, !has_steps);
    const LoggedStep step{
        .seconds = row.seconds(),
        .steps = has_steps ? 1.0 : row.count(StepColumn::Steps, "steps").value_or(1),
        .line = row.line()};
    auto same = std::find_if(read.runs.begin(), read.runs.end(), [&](const auto& other) {
      return has_steps && other.source == run.source && are_equal(other.sizes, run.sizes);
    });
    if (same == read.runs.end()) same = read.runs.insert(same, std::move(run));
    same->steps.push_back(step);
  }
  return read;
}

}  // namespace formats
}  // namespace tofn
