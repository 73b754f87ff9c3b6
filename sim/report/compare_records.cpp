#include "sim/answers/disclosures.hpp"
#include "sim/report/compare_report.hpp"
#include "sim/report/run_figures.hpp"

namespace tofn {
inline namespace report {
namespace {

using BacktestLine = BacktestRow;
using P = RunPrediction;

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
/// A column that only predicted rows fill.
template <class Figure>
auto predicted(Figure figure) {
  return of_its(&BacktestLine::prediction, figure);
}

std::optional<double> error_percent(const BacktestLine& row) {
  const auto errors = row_errors(row);
  return errors ? std::optional(errors->time * 100) : std::nullopt;
}

/// What was published, and the errors; the figures of the prediction follow by their own list.
Columns<BacktestLine> compare_columns() {
  return {
      {"benchmark", of_inputs(of_its(&RowInputs::benchmark, known))},
      {"org", of_inputs(of_its(&RowInputs::organisation, known))},
      {"system", of_inputs(of_its(&RowInputs::system, known))},
      {"accelerator", of_inputs(of_its(&RowInputs::accelerator, known))},
      {"accelerators", of_inputs(&RowInputs::accelerators)},
      {"nodes", of_inputs(&RowInputs::nodes)},
      {"role", &BacktestLine::role},
      {"published_time_to_train_min", of_outcome(&RowOutcome::official_minutes)},
      {"error_percent", error_percent},
      {"linear_scaling_min", &BacktestLine::linear_minutes},
      {"published_step_s", of_outcome([](const RowOutcome& o) { return scaled(o.step_ms, 1e-3); })},
      {"published_samples", of_outcome(&RowOutcome::samples)},
      {"published_evaluation_s",
       of_outcome([](const RowOutcome& o) { return scaled(o.evaluation_exposed_minutes, 60); })},
      {"published_start_up_s", of_outcome(&RowOutcome::startup_seconds)},
      {"basis", predicted([](const P& p) { return p.expected.total().basis; })},
      {"calibrated_on", of_its(&BacktestLine::calibrated_on, known)},
      {"repeats_another_row", &BacktestLine::repeats_another_row},
      {"contradiction", of_its(&BacktestLine::contradiction, known)},
      {"skipped_because", of_its(&BacktestLine::skipped_because, known)},
      {"not_blind",
       [](const BacktestLine& row) { return known(not_blind("published", "", {row.workload})); }}};
}

}  // namespace

Records compare_records(std::span<const BacktestRow> rows) {
  Columns<BacktestLine> all = compare_columns();
  const auto estimate_of = [](const BacktestRow& row) { return row.estimate.get(); };
  add_run_figures(all, estimate_of);
  add_step_parts(all, estimate_of);
  return records_of(all, rows);
}

}  // namespace report
}  // namespace tofn
