#include "sim/answers/disclosures.hpp"
#include "sim/report/compare_report.hpp"
#include "sim/report/figure_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

using BacktestLine = BacktestRow;
using P = RunBreakdown;

std::optional<double> scaled(const std::optional<double>& value, double by) {
  return value ? std::optional(*value * by) : std::nullopt;
}

template <class Figure>
auto of_inputs(Figure figure) {
  return of_its(&BacktestLine::row, &PublishedRow::inputs, figure);
}
template <class Figure>
auto of_outcome(Figure figure) {
  return of_its(&BacktestLine::row, &PublishedRow::outcome, figure);
}
/// Column that only predicted rows fill.
template <class Figure>
auto predicted(Figure figure) {
  return of_its(&BacktestLine::prediction, figure);
}

std::optional<double> error_percent(const BacktestLine& row) {
  const auto errors = row_errors(row);
  return errors ? std::optional(errors->time * 100) : std::nullopt;
}

/// Columns of the published values and the errors; the figures of the prediction follow in their
/// own list.
Columns<BacktestLine> published_columns() {
  return {
      {"benchmark", of_inputs(of_its(&RowInputs::benchmark, known)),
       "benchmark, as the published table has it"},
      {"org", of_inputs(of_its(&RowInputs::organisation, known)), "submitter"},
      {"system", of_inputs(of_its(&RowInputs::system, known)), "system, as published"},
      {"accelerator", of_inputs(of_its(&RowInputs::accelerator, known)),
       "chip, by its name in accelerators/"},
      {"accelerators", of_inputs(&RowInputs::accelerators), "accelerators of the job"},
      {"nodes", of_inputs(&RowInputs::nodes), "nodes of the system"},
      {"role", &BacktestLine::role, "whether the row calibrates, validates or was skipped"},
      {"published_time_to_train_min", of_outcome(&RowOutcome::official_minutes), "official score"},
      {"error_percent", error_percent, "predicted over published time to train, less 1"},
      {"linear_scaling_min", &BacktestLine::linear_minutes,
       "time to train by linear scaling from 8 accelerators"},
      {"published_step_s", of_outcome([](const RowOutcome& o) { return scaled(o.step_ms, 1e-3); }),
       "time of a steady step"},
      {"published_samples", of_outcome(&RowOutcome::samples),
       "samples to the target, mean of the runs"},
      {"published_evaluation_s",
       of_outcome([](const RowOutcome& o) { return scaled(o.evaluation_exposed_minutes, 60); }),
       "exposed evaluation time of the run"},
      {"published_start_up_s", of_outcome(&RowOutcome::startup_seconds),
       "time outside steps and evaluations"},
      {"basis", predicted([](const P& p) { return p.total().basis; }),
       "basis of the weakest term of the time"},
      {"calibrated_on", of_its(&BacktestLine::calibrated_on, known),
       "measured steps that the prediction rests on"},
      {"repeats_another_row", &BacktestLine::repeats_another_row,
       "1 where an earlier row has the same runs"},
      {"contradiction", of_its(&BacktestLine::contradiction, known),
       "contradiction between numbers of the row itself"},
      {"skipped_because", of_its(&BacktestLine::skipped_because, known),
       "reason why there is no answer of this size"},
      {"not_blind",
       [](const BacktestLine& row) { return known(not_blind("published", "", {row.workload})); },
       "choices behind the score of the row that were made while it was seen"}};
}

Columns<BacktestLine> all_columns() {
  Columns<BacktestLine> all = published_columns();
  const auto estimate_of = [](const BacktestRow& row) { return row.estimate.get(); };
  add_run_figures(all, estimate_of);
  add_step_parts(all, estimate_of);
  return all;
}

}  // namespace

std::vector<ColumnWords> compare_columns() { return words_of(all_columns()); }

Records compare_records(std::span<const BacktestRow> rows) {
  return records_of(all_columns(), rows);
}

}  // namespace report
}  // namespace tofn
