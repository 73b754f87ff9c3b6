#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/words.hpp"
#include "sim/report/compare_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/left_out_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string minutes(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 3 : 1); }

/// Mark of a row: `c` if it calibrates, `!` if it contradicts itself, ...
std::string mark_of(const BacktestRow* const& row) {
  if (!row->contradiction.empty()) return "!";
  if (row->repeats_another_row) return "=";
  if (row->role != Role::Calibration) return "";
  return row->row.inputs.nodes.value_or(1) > 1 ? "C" : "c";
}

/// Columns of published and predicted minutes, for rows that were predicted.
TableColumns<const BacktestRow*> run_table_columns(std::string (*minutes_cell)(double)) {
  using Row = const BacktestRow*;
  const auto interval = [=](const Row& r) {
    const Interval& seconds = r->seconds;
    return fmt::format("{} to {}", minutes_cell(seconds.low / 60), minutes_cell(seconds.high / 60));
  };
  const auto predicted = [](const Row& r) { return r->prediction->total().time.base() / 60; };
  const auto error = [](const Row& r) {
    const auto errors = row_errors(*r);
    return errors ? signed_percent(errors->time) : "-";
  };
  const auto published =
      of_its(&BacktestRow::row, &PublishedRow::outcome, &RowOutcome::official_minutes);
  const auto size = of_its(&BacktestRow::row, &PublishedRow::inputs, &RowInputs::accelerators);
  return {right("N", size), right("publ.", published, minutes_cell),
          right("pred.", predicted, minutes_cell), right("90 %", interval), right("err %", error)};
}

std::string name_of_row(const BacktestRow* const& row) { return row->row.full_name(); }

std::string benchmark_table(std::span<const BacktestRow> rows, const std::string& benchmark) {
  using Row = const BacktestRow*;
  std::vector<Row> shown;
  for (const BacktestRow& row : rows)
    if (row.workload == benchmark && row.prediction) shown.push_back(&row);
  if (shown.empty()) return {};
  std::ranges::stable_sort(shown, [](const auto* a, const auto* b) {
    return a->row.inputs.accelerators < b->row.inputs.accelerators;
  });
  const auto part = [](auto RunBreakdown::*cost) {
    return [cost](const Row& r) { return (*r->prediction.*cost).time.base() / 60; };
  };
  TableColumns<Row> columns{left("system", name_of_row), left("chip", &BacktestRow::accelerator)};
  for (const auto& column : run_table_columns(minutes)) columns.push_back(column);
  columns.insert(
      columns.end(),
      {left("", mark_of), right("steps", part(&RunBreakdown::training), minutes),
       right("eval.", part(&RunBreakdown::evaluation), minutes),
       right("fixed", part(&RunBreakdown::fixed), minutes),
       right("score", part(&RunBreakdown::score_scaling), minutes),
       right(
           "samples", [](const Row& r) { return r->prediction->samples; }, samples_text)});
  return fmt::format("{}: minutes to train\n{}\n", benchmark, table_text(columns, shown));
}

std::string benchmark_and_name(const BacktestRow& row) {
  return row.row.inputs.benchmark + " " + row.row.full_name();
}

std::vector<LeftOutRow> skipped_rows(std::span<const BacktestRow> rows) {
  return left_out_rows(
      rows, [](const BacktestRow& each) { return each.row.inputs.location; }, benchmark_and_name);
}

/// Text of the rows whose numbers contradict each other.
std::string contradictions_text(std::span<const BacktestRow> rows) {
  std::string text;
  for (const BacktestRow& row : rows)
    if (!row.contradiction.empty())
      text +=
          note("contradicts", fmt::format("{}: {}", benchmark_and_name(row), row.contradiction));
  return text;
}

/// Table of the scored runs with the largest errors.
std::string worst_table(std::span<const BacktestRow> rows) {
  constexpr std::size_t most = 10;
  std::vector<const BacktestRow*> scored;
  for (const BacktestRow& row : rows)
    if (is_scored(row) && row_errors(row)) scored.push_back(&row);
  const auto off = [](const BacktestRow* row) { return std::abs(row_errors(*row)->time); };
  std::ranges::stable_sort(scored, [&](const auto* a, const auto* b) { return off(a) > off(b); });
  scored.resize(std::min(most, scored.size()));
  TableColumns<const BacktestRow*> columns{left("farthest off", name_of_row),
                                           left("workload", &BacktestRow::workload)};
  for (const auto& column : run_table_columns(short_figure)) columns.push_back(column);
  columns[3].head.header = "published";
  columns[4].head.header = "predicted";
  return scored.empty() ? "" : table_text(columns, scored);
}

std::string cell(const Accuracy& summary) {
  return summary.count == 0 ? "-" : fmt::format("{:.1f}", summary.mean * 100);
}

/// Lines on the meaning of the columns.
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
  if (std::ranges::any_of(rows, contradicts_itself)) add("all but !", sound_error_table(rows));
  return found;
}

template <class Figure>
auto of_errors(Figure figure) {
  return of_its(&ErrorRow::second, figure);
}

auto mean_of(Accuracy ErrorTable::*of) {
  return of_errors([of](const ErrorTable& errors) { return cell(errors.*of); });
}

/// Table of errors in %, over the runs that were not used to calibrate, each once.
std::string error_summary(std::span<const BacktestRow> rows) {
  using E = ErrorTable;
  const auto of_time = [](auto figure) { return of_errors(of_its(&E::time, figure)); };
  const auto inside = [](const E& e) {
    return fmt::format("{}/{}", e.inside_interval, e.time.count);
  };
  const TableColumns<ErrorRow> columns{left("error in %", &ErrorRow::first),
                                       right("runs", of_time(&Accuracy::count)),
                                       right("mean", mean_of(&E::time)),
                                       right("median", of_time(&Accuracy::median), percent),
                                       right("worst", of_time(&Accuracy::worst), percent),
                                       right("bias", of_time(&Accuracy::bias), signed_percent),
                                       right("linear", mean_of(&E::linear)),
                                       right("step", mean_of(&E::step)),
                                       right("samples", mean_of(&E::samples)),
                                       right("in 90 %", of_errors(inside))};
  return table_text(columns, error_rows(rows));
}

std::string other_errors(std::span<const BacktestRow> rows) {
  using E = ErrorTable;
  const TableColumns<ErrorRow> columns{
      left("error in %", &ErrorRow::first), right("eval.", mean_of(&E::evaluation)),
      right("fixed", mean_of(&E::fixed)), right("gross", mean_of(&E::gross))};
  return table_text(columns, error_rows(rows));
}

/// Line such as `24 of 30 published times lie inside (80 %), which is consistent with 90 % (...)`.
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

AnswerText compare_text(std::span<const BacktestRow> rows, std::string_view table) {
  const ErrorTable all = error_table(rows, "");
  AnswerText text;
  if (all.time.count > 0)
    text.screen =
        fmt::format(
            "Of {}{}{} that calibration did not see, predictions are {:.1f} % off in the mean, "
            "{:.1f} "
            "% in the median; {} inside their 90 % range\n\n",
            counted(all.time.count, "published run"), table.empty() ? "" : " of ", table,
            100 * all.time.mean, 100 * all.time.median,
            all.inside_interval == 1 ? "1 is" : fmt::format("{} are", all.inside_interval)) +
        error_summary(rows) + '\n' + worst_table(rows) + '\n' + coverage_note(all) +
        note("linear", "the error of a baseline, the 8-accelerator score x 8 / N") +
        note("minutes", "the unit of published and predicted times to train") +
        cancellation_note(rows);
  else
    text.screen = "No published time to hold a prediction against\n";
  const auto benchmarks = benchmarks_of(rows);
  std::vector<std::string> next{"--details for every run"};
  if (benchmarks.size() > 1) next.push_back("--workloads " + benchmarks.front());
  next.emplace_back("tofn validate published");
  text.screen += left_out_counts(skipped_rows(rows)) + listed_note("next", next);
  for (const std::string& benchmark : benchmarks) text.details += benchmark_table(rows, benchmark);
  if (all.time.count > 0) text.details += other_errors(rows) + '\n';
  text.details += legend_text() + left_out_text(skipped_rows(rows)) + contradictions_text(rows) +
                  disclosed_text("published", "", benchmarks_of(rows));
  return text;
}

}  // namespace report
}  // namespace tofn
