#include "sim/answers/disclosures.hpp"
#include "sim/report/compare_report.hpp"

namespace tofn {
inline namespace report {
namespace {

using BacktestLine = BacktestRow;
using P = RunPrediction;

double minutes(const Cost& cost) { return cost.time.base() / 60; }

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

/// One line per column; the terms of the step follow by their own table.
Columns<BacktestLine> compare_columns() {
  return {
      {"benchmark", of_inputs(of_its(&RowInputs::benchmark, known))},
      {"org", of_inputs(of_its(&RowInputs::organisation, known))},
      {"system", of_inputs(of_its(&RowInputs::system, known))},
      {"accelerator", of_inputs(of_its(&RowInputs::accelerator, known))},
      {"accelerators", of_inputs(&RowInputs::accelerators)},
      {"nodes", of_inputs(&RowInputs::nodes)},
      {"role", &BacktestLine::role},
      {"published_min", of_outcome(&RowOutcome::official_minutes)},
      {"predicted_min", predicted([](const P& p) { return minutes(p.expected.total()); })},
      {"low90_min", predicted([](const P& p) { return p.total_seconds.low / 60; })},
      {"high90_min", predicted([](const P& p) { return p.total_seconds.high / 60; })},
      {"error_percent", error_percent},
      {"linear_scaling_min", &BacktestLine::linear_minutes},
      {"published_step_ms", of_outcome(&RowOutcome::step_ms)},
      {"predicted_step_ms",
       predicted([](const P& p) { return p.expected.step.total.base() * 1e3; })},
      {"step_low90_ms", predicted([](const P& p) { return p.step_seconds.low * 1e3; })},
      {"step_high90_ms", predicted([](const P& p) { return p.step_seconds.high * 1e3; })},
      {"published_samples", of_outcome(&RowOutcome::samples)},
      {"predicted_samples", predicted([](const P& p) { return p.expected.samples; })},
      {"samples_low90", predicted([](const P& p) { return p.samples.low; })},
      {"samples_high90", predicted([](const P& p) { return p.samples.high; })},
      {"published_evaluation_min", of_outcome(&RowOutcome::evaluation_exposed_minutes)},
      {"predicted_evaluation_min",
       predicted([](const P& p) { return minutes(p.expected.evaluation); })},
      {"evaluation_low90_min", predicted([](const P& p) { return p.evaluation_seconds.low / 60; })},
      {"evaluation_high90_min",
       predicted([](const P& p) { return p.evaluation_seconds.high / 60; })},
      {"published_fixed_s", of_outcome(&RowOutcome::startup_seconds)},
      {"predicted_fixed_s", predicted([](const P& p) { return p.expected.fixed.time.base(); })},
      {"fixed_low90_s", predicted([](const P& p) { return p.fixed_seconds.low; })},
      {"fixed_high90_s", predicted([](const P& p) { return p.fixed_seconds.high; })},
      {"predicted_training_min",
       predicted([](const P& p) { return minutes(p.expected.training); })},
      {"predicted_score_scaling_min",
       predicted([](const P& p) { return minutes(p.expected.score_scaling); })},
      {"communication_total_ms",
       predicted([](const P& p) { return p.expected.step.communication.base() * 1e3; })},
      {"basis", predicted([](const P& p) { return p.expected.total().basis; })},
      {"calibrated_on", of_its(&BacktestLine::calibrated_on, known)},
      {"repeats_another_row", &BacktestLine::repeats_another_row},
      {"contradiction", of_its(&BacktestLine::contradiction, known)},
      {"skipped_because", of_its(&BacktestLine::skipped_because, known)},
      {"not_blind",
       [](const BacktestLine& row) { return known(not_blind("published", "", {row.workload})); }}};
}

void add_step_terms(Columns<BacktestLine>& compare_columns) {
  for (std::size_t i = 0; i < step_parts.size(); ++i) {
    const std::string name = "step_" + std::string(step_parts[i].first);
    const auto add = [&](const char* suffix, auto seconds) {
      compare_columns.emplace_back(name + suffix,
                                   predicted([=](const P& p) { return seconds(p) * 1e3; }));
    };
    add("_ms", [i](const P& p) { return p.expected.step.parts[i].base(); });
    add("_low90_ms", [i](const P& p) { return p.step_part_seconds[i].low; });
    add("_high90_ms", [i](const P& p) { return p.step_part_seconds[i].high; });
  }
}

}  // namespace

Records compare_records(std::span<const BacktestRow> rows) {
  Columns<BacktestLine> all = compare_columns();
  add_step_terms(all);
  return records_of(all, rows);
}

}  // namespace report
}  // namespace tofn
