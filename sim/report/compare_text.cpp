#include <algorithm>
#include <cmath>

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
  std::vector<std::string> cells{row.row.full_name(), row.accelerator,
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
        fmt::format("{} to {}", minutes(prediction.total_seconds.low / 60),
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
                   {"90 %"},
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

std::vector<LeftOutRow> skipped_rows(std::span<const BacktestRow> rows) {
  std::vector<LeftOutRow> skipped;
  for (const BacktestRow& row : rows)
    if (!row.skipped_because.empty())
      skipped.push_back({.why = row.skipped_because,
                         .location = row.row.inputs.location,
                         .name = row.row.inputs.benchmark + " " + row.row.full_name()});
  return skipped;
}

/// Rows whose numbers contradict each other.
std::string contradictions_text(std::span<const BacktestRow> rows) {
  std::string text;
  for (const BacktestRow& row : rows)
    if (!row.contradiction.empty())
      text += note("contradicts", fmt::format("{} {}: {}", row.row.inputs.benchmark,
                                              row.row.full_name(), row.contradiction));
  return text;
}

/// The scored runs that are farthest off.
std::string worst_table(std::span<const BacktestRow> rows) {
  constexpr std::size_t most = 10;
  std::vector<const BacktestRow*> scored;
  for (const BacktestRow& row : rows)
    if (is_scored(row) && row_errors(row)) scored.push_back(&row);
  const auto off = [](const BacktestRow* row) { return std::abs(row_errors(*row)->time); };
  std::stable_sort(scored.begin(), scored.end(),
                   [&](const auto* a, const auto* b) { return off(a) > off(b); });
  scored.resize(std::min(most, scored.size()));
  TextTable table({{"farthest off", Align::Left},
                   {"workload", Align::Left},
                   {"N"},
                   {"published"},
                   {"predicted"},
                   {"90 %"},
                   {"err %"}});
  for (const BacktestRow* row : scored) {
    const RunPrediction& run = *row->prediction;
    table.add({row->row.full_name(), row->workload, fmt::format("{}", row->row.inputs.accelerators),
               short_figure(*row->row.outcome.official_minutes),
               short_figure(run.expected.total().time.base() / 60),
               fmt::format("{} to {}", short_figure(run.total_seconds.low / 60),
                           short_figure(run.total_seconds.high / 60)),
               signed_percent(row_errors(*row)->time)});
  }
  return scored.empty() ? "" : table.render() + "published and predicted: minutes to train\n";
}

std::string cell(const Accuracy& summary) {
  return summary.count == 0 ? "-" : fmt::format("{:.1f}", summary.mean * 100);
}

/// What columns mean beyond their heads.
std::string legend_text() {
  return note("err", "predicted / published - 1 of the time to train; bias: its signed mean") +
         note("linear", "mean error of the 8-accelerator score x 8 / N") +
         note("samples",
              "mean error of the samples to target; step: of runs that logged evaluations "
              "apart; eval. and fixed: in % of the run; gross: of these four, none "
              "cancelling") +
         note("score",
              "what the benchmark's rule is expected to add where runs converge early by "
              "luck") +
         note("marks",
              "c: calibrates, not scored; C: the same on several nodes of one scale-up "
              "domain; =: the same runs as another row, scored once; !: its step "
              "contradicts its clock, so that only its time is scored");
}

using ErrorRow = std::pair<std::string, ErrorTable>;

std::vector<ErrorRow> error_rows(std::span<const BacktestRow> rows) {
  std::vector<ErrorRow> found;
  const auto add = [&](const std::string& head, const ErrorTable& errors) {
    if (errors.time.count > 0) found.emplace_back(head, errors);
  };
  for (const std::string& name : benchmarks_of(rows)) add(name, error_table(rows, name));
  add("all", error_table(rows, ""));
  if (std::any_of(rows.begin(), rows.end(), contradicts_itself))
    add("all but !", sound_error_table(rows));
  return found;
}

/// In %, over the runs that calibration did not see, each once.
std::string error_summary(std::span<const BacktestRow> rows) {
  TextTable table({{"error in %", Align::Left},
                   {"runs"},
                   {"mean"},
                   {"median"},
                   {"worst"},
                   {"bias"},
                   {"linear"},
                   {"step"},
                   {"samples"},
                   {"in 90 %"}});
  for (const auto& [head, errors] : error_rows(rows))
    table.add({head, fmt::format("{}", errors.time.count), cell(errors.time),
               fmt::format("{:.1f}", errors.time.median * 100), percent(errors.time.worst),
               signed_percent(errors.time.bias), cell(errors.linear), cell(errors.step),
               cell(errors.samples),
               fmt::format("{}/{}", errors.inside_interval, errors.time.count)});
  return table.render();
}

std::string other_errors(std::span<const BacktestRow> rows) {
  TextTable table({{"error in %", Align::Left}, {"eval."}, {"fixed"}, {"gross"}});
  for (const auto& [head, errors] : error_rows(rows))
    table.add({head, cell(errors.evaluation), cell(errors.fixed), cell(errors.gross)});
  return table.render();
}

/// `24 of 30 published times lie inside (80 %), which is consistent with 90 % (...)`
std::string coverage_note(const ErrorTable& all) {
  constexpr double significance = 0.05;
  const double p = chance_of_so_few(all.inside_interval, all.time.count, 0.9);
  return note(
      "90 % range",
      fmt::format(
          "{} of {} published times lie inside ({:.0f} %), which is {} 90 % ({} or "
          "fewer: p = {:.2g}, if runs are independent)",
          all.inside_interval, all.time.count,
          100.0 * static_cast<double>(all.inside_interval) / static_cast<double>(all.time.count),
          p < significance ? "too few for" : "consistent with", all.inside_interval, p));
}

std::string cancellation_note(std::span<const BacktestRow> rows) {
  std::string text;
  for (const std::string& name : benchmarks_of(rows)) {
    const ErrorTable errors = error_table(rows, name);
    if (errors.gross.count > 0 && errors.gross.mean > 1.5 * errors.time.mean)
      text +=
          note("cancellation",
               fmt::format("{}: errors of steps, samples, evaluation and start-up partly cancel: "
                           "{:.1f} % where none does, {:.1f} % in the total",
                           name, errors.gross.mean * 100, errors.time.mean * 100));
  }
  return text;
}

}  // namespace

AnswerText compare_text(std::span<const BacktestRow> rows) {
  const ErrorTable all = error_table(rows, "");
  AnswerText text;
  if (all.time.count > 0)
    text.screen =
        fmt::format(
            "Of {} published runs that calibration did not see, predictions are {:.1f} % "
            "off in the mean, {:.1f} % in the median; {} are inside their 90 % range\n\n",
            all.time.count, 100 * all.time.mean, 100 * all.time.median, all.inside_interval) +
        error_summary(rows) + '\n' + worst_table(rows) + '\n' + coverage_note(all) +
        note("linear", "the error of a baseline, the 8-accelerator score x 8 / N") +
        cancellation_note(rows);
  else
    text.screen = "No published time to hold a prediction against\n";
  text.screen += left_out_counts(skipped_rows(rows)) +
                 listed_note("next", {"--details for every run", "--workloads bert",
                                      "tofn validate published"});
  for (const std::string& benchmark : benchmarks_of(rows))
    text.details += benchmark_table(rows, benchmark);
  if (all.time.count > 0) text.details += other_errors(rows) + '\n';
  text.details += legend_text() + left_out_text(skipped_rows(rows)) + contradictions_text(rows) +
                  disclosed_text("published", "", benchmarks_of(rows));
  return text;
}

}  // namespace report
}  // namespace tofn
