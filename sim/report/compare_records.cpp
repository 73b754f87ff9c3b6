#include "sim/report/compare_report.hpp"

namespace tofn {
namespace {

Value optional_value(const std::optional<double>& value, double scale = 1) {
  if (!value) return {};
  return *value * scale;
}

const std::vector<std::string>& record_columns() {
  static const std::vector<std::string> columns{"benchmark",
                                                "org",
                                                "system",
                                                "accelerator",
                                                "accelerators",
                                                "nodes",
                                                "role",
                                                "published_min",
                                                "predicted_min",
                                                "low90_min",
                                                "high90_min",
                                                "error_percent",
                                                "linear_scaling_min",
                                                "published_step_ms",
                                                "predicted_step_ms",
                                                "step_low90_ms",
                                                "step_high90_ms",
                                                "published_samples",
                                                "predicted_samples",
                                                "samples_low90",
                                                "samples_high90",
                                                "published_evaluation_min",
                                                "predicted_evaluation_min",
                                                "published_fixed_s",
                                                "predicted_fixed_s",
                                                "predicted_training_min",
                                                "step_arithmetic_ms",
                                                "step_overhead_ms",
                                                "step_tensor_parallel_ms",
                                                "step_context_parallel_ms",
                                                "step_gradients_ms",
                                                "step_optimizer_ms",
                                                "communication_total_ms",
                                                "basis",
                                                "calibrated_on",
                                                "repeats_another_row",
                                                "skipped_because"};
  return columns;
}

/// The predicted cells, in the order of the columns from `predicted_min` on; all empty if skipped.
struct Predicted {
  Value total, low, high, step, step_low, step_high, samples, samples_low, samples_high, evaluation,
      fixed, training, arithmetic, overhead, tensor, context, gradients, optimizer, communication,
      basis;
};

Value milliseconds(const Cost& cost) { return cost.time.base() * 1e3; }

Predicted predicted_cells(const RunPrediction& p) {
  const RunBreakdown& run = p.expected;
  const StepBreakdown& step = run.step;
  return {.total = run.total().time.base() / 60,
          .low = p.total_seconds.low / 60,
          .high = p.total_seconds.high / 60,
          .step = milliseconds(step.total()),
          .step_low = p.step_seconds.low * 1e3,
          .step_high = p.step_seconds.high * 1e3,
          .samples = run.samples,
          .samples_low = p.samples.low,
          .samples_high = p.samples.high,
          .evaluation = run.evaluation.time.base() / 60,
          .fixed = run.fixed.time.base(),
          .training = run.training.time.base() / 60,
          .arithmetic = milliseconds(step.arithmetic),
          .overhead = milliseconds(step.overhead),
          .tensor = milliseconds(step.tensor_parallel),
          .context = milliseconds(step.context_parallel),
          .gradients = milliseconds(step.gradients),
          .optimizer = milliseconds(step.optimizer),
          .communication = milliseconds(step.communication_total),
          .basis = std::string(to_text(run.total().basis))};
}

std::vector<Value> record_of(const BacktestRow& row) {
  const RowInputs& in = row.row.inputs;
  const RowOutcome& out = row.row.outcome;
  const Predicted p = row.prediction ? predicted_cells(*row.prediction) : Predicted{};
  const auto errors = row_errors(row);
  const Value nodes = in.nodes ? Value{static_cast<long long>(*in.nodes)} : Value{};
  const auto text_or_nothing = [](const std::string& text) {
    return text.empty() ? Value{} : Value{text};
  };
  return {in.benchmark,
          in.organisation,
          in.system,
          in.accelerator,
          static_cast<long long>(in.accelerators),
          nodes,
          std::string(to_text(row.role)),
          optional_value(out.official_minutes),
          p.total,
          p.low,
          p.high,
          errors ? Value{errors->time * 100} : Value{},
          optional_value(row.linear_minutes),
          optional_value(out.step_ms),
          p.step,
          p.step_low,
          p.step_high,
          optional_value(out.samples),
          p.samples,
          p.samples_low,
          p.samples_high,
          optional_value(out.evaluation_exposed_minutes),
          p.evaluation,
          optional_value(out.startup_seconds),
          p.fixed,
          p.training,
          p.arithmetic,
          p.overhead,
          p.tensor,
          p.context,
          p.gradients,
          p.optimizer,
          p.communication,
          p.basis,
          text_or_nothing(row.calibrated_on),
          static_cast<long long>(row.repeats_another_row ? 1 : 0),
          text_or_nothing(row.skipped_because)};
}

}  // namespace

Records compare_records(std::span<const BacktestRow> rows) {
  Records records{.columns = record_columns(), .rows = {}};
  for (const BacktestRow& row : rows) records.rows.push_back(record_of(row));
  return records;
}

}  // namespace tofn
