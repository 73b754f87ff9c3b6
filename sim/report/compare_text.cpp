#include <algorithm>

#include <fmt/format.h>

#include "sim/report/compare_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/left_out_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string minutes(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 3 : 1); }
std::string samples_text(double samples) {
  if (samples >= 1e6) return fmt::format("{:.3f}M", samples / 1e6);
  return fmt::format("{:.0f}", samples);
}

std::vector<std::string> row_cells(const BacktestRow& row) {
  const RowInputs& in = row.row.inputs;
  const auto& official = row.row.outcome.official_minutes;
  std::vector<std::string> cells{fitted(row.row.full_name(), 26), fitted(row.accelerator, 8),
                                 fmt::format("{}", in.accelerators),
                                 official ? minutes(*official) : "-"};
  const RunPrediction& prediction = *row.prediction;
  const RunBreakdown& run = prediction.expected;
  const auto errors = row_errors(row);
  const bool spans_nodes = in.nodes.value_or(1) > 1;
  const std::string mark = !row.contradiction.empty()      ? "!"
                           : row.repeats_another_row       ? "="
                           : row.role != Role::Calibration ? ""
                           : spans_nodes                   ? "C"
                                                           : "c";
  for (std::string cell :
       {minutes(run.total().time.base() / 60),
        fmt::format("{}-{}", minutes(prediction.total_seconds.low / 60),
                    minutes(prediction.total_seconds.high / 60)),
        errors ? signed_percent(errors->time) : "-", mark, minutes(run.training.time.base() / 60),
        minutes(run.evaluation.time.base() / 60), minutes(run.fixed.time.base() / 60),
        minutes(run.score_scaling.time.base() / 60), samples_text(run.samples)})
    cells.push_back(std::move(cell));
  return cells;
}

std::string benchmark_table(std::span<const BacktestRow> rows, const std::string& benchmark) {
  std::vector<const BacktestRow*> shown;
  for (const BacktestRow& row : rows)
    if (row.workload == benchmark && row.prediction) shown.push_back(&row);
  if (shown.empty()) return {};
  std::stable_sort(shown.begin(), shown.end(), [](const auto* a, const auto* b) {
    return a->row.inputs.accelerators < b->row.inputs.accelerators;
  });
  TextTable table({{"system", Align::Left},
                   {"chip", Align::Left},
                   {"N"},
                   {"publ."},
                   {"pred."},
                   {"90 % interval"},
                   {"err %"},
                   {"", Align::Left},
                   {"steps"},
                   {"eval."},
                   {"fixed"},
                   {"score"},
                   {"samples"}});
  for (const BacktestRow* row : shown) table.add(row_cells(*row));
  return fmt::format("{}: minutes to train\n{}\n", benchmark, table.render());
}

/// Rows with a reason, by name.
std::string reason_list(std::span<const BacktestRow> rows, const char* head,
                        std::string BacktestRow::*reason) {
  std::string text;
  for (const BacktestRow& row : rows)
    if (!(row.*reason).empty())
      text +=
          fmt::format("  {} {}: {}\n", row.row.inputs.benchmark, row.row.full_name(), row.*reason);
  return text.empty() ? "" : head + text + "\n";
}

std::string skipped_list(std::span<const BacktestRow> rows) {
  std::vector<LeftOutRow> skipped;
  for (const BacktestRow& row : rows)
    if (!row.skipped_because.empty())
      skipped.push_back({.why = row.skipped_because,
                         .location = row.row.inputs.location,
                         .name = row.row.inputs.benchmark + " " + row.row.full_name()});
  return (skipped.empty() ? "" : left_out_text(skipped) + '\n') +
         reason_list(rows, "Time scored, step not, learnt from by nothing:\n",
                     &BacktestRow::contradiction);
}

std::string cell(const Accuracy& summary) {
  return summary.count == 0 ? "-" : fmt::format("{:.1f}", summary.mean * 100);
}

constexpr const char* error_legend =
    "  mean, median, worst: |predicted/published - 1| of the time to train; bias: its signed mean\n"
    "  linear: mean error of the 8-accelerator score x 8/N; samples: mean error of the term; "
    "step:\n"
    "  likewise, of the runs that logged evaluations apart; eval., fixed: in % of the run; gross:\n"
    "  these four, none cancelling; in 90 %: published times inside their interval\n";
constexpr const char* row_legend =
    "  score: what the benchmark's rule is expected to add where runs converge early by luck\n"
    "  c: calibrates, not scored; C: likewise, several nodes of one scale-up domain; =: the same "
    "runs as\n"
    "  another row, scored once; !: its step contradicts its clock: its time is scored, its step "
    "is "
    "not\n";

std::string error_summary(std::span<const BacktestRow> rows) {
  TextTable table({{"", Align::Left},
                   {"runs"},
                   {"mean"},
                   {"median"},
                   {"worst"},
                   {"bias"},
                   {"linear"},
                   {"step"},
                   {"samples"},
                   {"eval."},
                   {"fixed"},
                   {"gross"},
                   {"in 90 %"}});
  const auto add = [&](const std::string& head, const ErrorTable& errors) {
    if (errors.time.count == 0) return;
    table.add({head, fmt::format("{}", errors.time.count), cell(errors.time),
               fmt::format("{:.1f}", errors.time.median * 100), percent(errors.time.worst),
               signed_percent(errors.time.bias), cell(errors.linear), cell(errors.step),
               cell(errors.samples), cell(errors.evaluation), cell(errors.fixed),
               cell(errors.gross),
               fmt::format("{}/{}", errors.inside_interval, errors.time.count)});
  };
  for (const std::string& name : benchmarks_of(rows)) add(name, error_table(rows, name));
  add("all", error_table(rows, ""));
  if (std::any_of(rows.begin(), rows.end(), contradicts_itself))
    add("all but !", sound_error_table(rows));
  if (error_table(rows, "").time.count == 0)
    return "No published time to hold a prediction against\n";
  return "Errors in % over the runs that calibration did not see (each run once)\n" +
         table.render() + error_legend;
}

/// `90 % intervals hold 24 of 30 published times (80 %); were they right, ...`
std::string coverage_note(std::span<const BacktestRow> rows) {
  const ErrorTable all = error_table(rows, "");
  if (all.time.count == 0) return {};
  return fmt::format(
      "  90 % intervals hold {} of {} published times ({:.0f} %); so few would come in {:.1f} % of "
      "cases,\n  were they right and the runs independent\n",
      all.inside_interval, all.time.count,
      100.0 * static_cast<double>(all.inside_interval) / static_cast<double>(all.time.count),
      100 * chance_of_so_few(all.inside_interval, all.time.count, 0.9));
}

std::string cancellation_note(std::span<const BacktestRow> rows) {
  std::string text;
  for (const std::string& name : benchmarks_of(rows)) {
    const ErrorTable errors = error_table(rows, name);
    if (errors.gross.count > 0 && errors.gross.mean > 1.5 * errors.time.mean)
      text += fmt::format(
          "  {}: its terms miss by {:.1f} % in all, the total by {:.1f} %: part of it is "
          "cancellation\n",
          name, errors.gross.mean * 100, errors.time.mean * 100);
  }
  return text;
}

}  // namespace

std::string compare_text(std::span<const BacktestRow> rows) {
  std::string text;
  if (const ErrorTable all = error_table(rows, ""); all.time.count > 0)
    text = fmt::format(
        "Of {} published runs that calibration did not see, predictions are {:.1f} % off in the "
        "mean, {:.1f} % in the median; {} are inside their 90 % intervals\n\n",
        all.time.count, 100 * all.time.mean, 100 * all.time.median, all.inside_interval);
  for (const std::string& benchmark : benchmarks_of(rows)) text += benchmark_table(rows, benchmark);
  return text + skipped_list(rows) + error_summary(rows) + coverage_note(rows) + row_legend +
         cancellation_note(rows) + disclosed_text("published", "", benchmarks_of(rows));
}

}  // namespace report
}  // namespace tofn
