#include <array>

#include "sim/report/compare_report.hpp"

namespace tofn {
namespace {

Value known(const std::optional<double>& value) { return value ? Value{*value} : Value{}; }
Value known(const std::string& text) { return text.empty() ? Value{} : Value{text}; }
Value whole(long long value) { return value; }

double minutes(const Cost& cost) { return cost.time.base() / 60; }

/// A column that only predicted rows fill.
template <double (*of)(const RunPrediction&)>
Value predicted(const BacktestRow& row) {
  return row.prediction ? Value{of(*row.prediction)} : Value{};
}

using P = RunPrediction;

struct Column {
  const char* name;
  Value (*value)(const BacktestRow&);
};

/// One line per column; the terms of the step follow by their own table.
constexpr std::array columns{
    Column{"benchmark", [](const BacktestRow& r) { return known(r.row.inputs.benchmark); }},
    Column{"org", [](const BacktestRow& r) { return known(r.row.inputs.organisation); }},
    Column{"system", [](const BacktestRow& r) { return known(r.row.inputs.system); }},
    Column{"accelerator", [](const BacktestRow& r) { return known(r.row.inputs.accelerator); }},
    Column{"accelerators", [](const BacktestRow& r) { return whole(r.row.inputs.accelerators); }},
    Column{"nodes",
           [](const BacktestRow& r) {
             return r.row.inputs.nodes ? whole(*r.row.inputs.nodes) : Value{};
           }},
    Column{"role", [](const BacktestRow& r) { return Value{std::string(to_text(r.role))}; }},
    Column{"published_min",
           [](const BacktestRow& r) { return known(r.row.outcome.official_minutes); }},
    Column{"predicted_min", predicted<[](const P& p) { return minutes(p.expected.total()); }>},
    Column{"low90_min", predicted<[](const P& p) { return p.total_seconds.low / 60; }>},
    Column{"high90_min", predicted<[](const P& p) { return p.total_seconds.high / 60; }>},
    Column{"error_percent",
           [](const BacktestRow& r) {
             const auto errors = row_errors(r);
             return errors ? Value{errors->time * 100} : Value{};
           }},
    Column{"linear_scaling_min", [](const BacktestRow& r) { return known(r.linear_minutes); }},
    Column{"published_step_ms", [](const BacktestRow& r) { return known(r.row.outcome.step_ms); }},
    Column{"predicted_step_ms",
           predicted<[](const P& p) { return p.expected.step.total.base() * 1e3; }>},
    Column{"step_low90_ms", predicted<[](const P& p) { return p.step_seconds.low * 1e3; }>},
    Column{"step_high90_ms", predicted<[](const P& p) { return p.step_seconds.high * 1e3; }>},
    Column{"published_samples", [](const BacktestRow& r) { return known(r.row.outcome.samples); }},
    Column{"predicted_samples", predicted<[](const P& p) { return p.expected.samples; }>},
    Column{"samples_low90", predicted<[](const P& p) { return p.samples.low; }>},
    Column{"samples_high90", predicted<[](const P& p) { return p.samples.high; }>},
    Column{"published_evaluation_min",
           [](const BacktestRow& r) { return known(r.row.outcome.evaluation_exposed_minutes); }},
    Column{"predicted_evaluation_min",
           predicted<[](const P& p) { return minutes(p.expected.evaluation); }>},
    Column{"evaluation_low90_min",
           predicted<[](const P& p) { return p.evaluation_seconds.low / 60; }>},
    Column{"evaluation_high90_min",
           predicted<[](const P& p) { return p.evaluation_seconds.high / 60; }>},
    Column{"published_fixed_s",
           [](const BacktestRow& r) { return known(r.row.outcome.startup_seconds); }},
    Column{"predicted_fixed_s", predicted<[](const P& p) { return p.expected.fixed.time.base(); }>},
    Column{"fixed_low90_s", predicted<[](const P& p) { return p.fixed_seconds.low; }>},
    Column{"fixed_high90_s", predicted<[](const P& p) { return p.fixed_seconds.high; }>},
    Column{"predicted_training_min",
           predicted<[](const P& p) { return minutes(p.expected.training); }>},
    Column{"predicted_score_scaling_min",
           predicted<[](const P& p) { return minutes(p.expected.score_scaling); }>},
    Column{"communication_total_ms",
           predicted<[](const P& p) { return p.expected.step.communication.base() * 1e3; }>},
    Column{"basis",
           [](const BacktestRow& r) {
             return r.prediction ? Value{std::string(to_text(r.prediction->expected.total().basis))}
                                 : Value{};
           }},
    Column{"calibrated_on", [](const BacktestRow& r) { return known(r.calibrated_on); }},
    Column{"repeats_another_row",
           [](const BacktestRow& r) { return whole(r.repeats_another_row ? 1 : 0); }},
    Column{"skipped_because", [](const BacktestRow& r) { return known(r.skipped_because); }},
};

void add_step_terms(const std::optional<RunPrediction>& prediction, std::vector<Value>& cells) {
  for (std::size_t i = 0; i < step_parts.size(); ++i) {
    if (!prediction) {
      cells.insert(cells.end(), 3, Value{});
      continue;
    }
    const Interval& interval = prediction->step_part_seconds[i];
    cells.emplace_back(prediction->expected.step.parts[i].base() * 1e3);
    cells.emplace_back(interval.low * 1e3);
    cells.emplace_back(interval.high * 1e3);
  }
}

}  // namespace

Records compare_records(std::span<const BacktestRow> rows) {
  Records records;
  for (const Column& column : columns) records.columns.emplace_back(column.name);
  for (const auto& [name, part] : step_parts)
    for (const char* suffix : {"_ms", "_low90_ms", "_high90_ms"})
      records.columns.push_back("step_" + std::string(name) + suffix);
  for (const BacktestRow& row : rows) {
    std::vector<Value>& cells = records.rows.emplace_back();
    for (const Column& column : columns) cells.push_back(column.value(row));
    add_step_terms(row.prediction, cells);
  }
  return records;
}

}  // namespace tofn
