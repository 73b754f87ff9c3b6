#include "sim/report/step_cases_report.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/core/accuracy.hpp"
#include "sim/core/words.hpp"
#include "sim/report/figure_text.hpp"

namespace tofn {
inline namespace report {

namespace {

using Case = PredictedCase;

double seconds_in(Seconds time) { return time.base(); }

/// Heads of those columns of the table that people see.
const std::map<std::string_view, Shown<const char*>> case_heads{
    {"model", left("model")},         {"gpus", right("gpus")},
    {"tensor_parallel", right("tp")}, {"pipeline_parallel", right("pp")},
    {"data_parallel", right("dp")},   {"micro_batch", right("b")},
    {"recompute", left("recompute")}};

/// Columns of the cases: parts are in seconds for machines, and for people in % of the step.
TableColumns<Case> case_columns(const std::vector<Case>& cases, bool with_held_out) {
  TableColumns<Case> columns;
  for (const auto& column : step_case_columns()) {
    const auto value = of_its(&Case::row, column.value);
    const auto shown = case_heads.find(column.name);
    if (shown == case_heads.end())
      columns.emplace_back(column.name, value, column.meaning);
    else
      columns.emplace_back(column.name, value, shown->second, column.meaning);
    if (column.name == "micro_batch")
      columns.push_back({right("m", of_its(&Case::row, &StepCaseRow::step, &StepCase::plan,
                                           &Plan::gradient_accumulation)),
                         "micro-batches of a step"});
  }
  const auto measured = of_its(&Case::row, &StepCaseRow::step, &StepCase::measured, seconds_in);
  columns.insert(columns.end(),
                 {{"measured_s", measured, right_or_blank("measured s", measured, "{:.3f}")},
                  {"predicted_s", of_its(&Case::times, &StepTimes::total, seconds_in),
                   right("predicted s", "{:.3f}")},
                  {"error", &Case::error, right_or_blank("error %", &Case::error, percent),
                   "predicted over measured, less 1"}});
  if (with_held_out) {
    const auto predicted = of_its(&Case::held_out, &HeldOut::predicted, seconds_in);
    columns.insert(
        columns.end(),
        {{"left_out_predicted_s", predicted, right_or_blank("left out s", predicted, "{:.3f}"),
          "step predicted with the row's group left out"},
         {"left_out_error", &Case::held_out_error,
          right_or_blank("error %", &Case::held_out_error, percent),
          "error of the step predicted with the row's group left out"},
         {"left_out_gemm_efficiency", of_its(&Case::held_out, &HeldOut::gemm_efficiency),
          "efficiency fitted without the row's group"}});
  }
  for (std::size_t i = 0; i < step_parts.size(); ++i) {
    const std::string_view name = step_parts[i].first;
    const auto part = [i](const Case& c) { return c.times.parts[i]; };
    const auto share = [=](const Case& c) { return percent(part(c) / c.times.total); };
    const bool is_spent =
        std::ranges::any_of(cases, [&](const Case& c) { return part(c) > Seconds{}; });
    columns.emplace_back(fmt::format("{}_s", name), of_its(part, seconds_in));
    if (is_spent) columns.push_back(right(std::string(name), share));
  }
  return columns;
}

std::string summary(std::string_view what, const std::vector<double>& errors) {
  const Accuracy all = accuracy_of(errors);
  return fmt::format("{}: mean error {:.2f} %, worst {:.2f} % of {}\n", what, 100 * all.mean,
                     100 * all.worst, counted(all.count, "step"));
}

std::string summaries(const std::vector<PredictedCase>& cases, double gemm_efficiency,
                      std::string_view column) {
  std::vector<double> errors;
  std::vector<double> held_out;
  for (const PredictedCase& each : cases) {
    if (const auto error = each.error()) errors.push_back(*error);
    if (const auto error = each.held_out_error()) held_out.push_back(*error);
  }
  if (errors.empty()) return "no step was measured\n";
  const std::string how =
      fmt::format("{} (gemm efficiency {:.3f})",
                  column.empty() ? "by the kernel profile" : "all rows fitted", gemm_efficiency);
  std::string text = summary(how, errors);
  if (!held_out.empty()) text += summary(fmt::format("each {} left out", column), held_out);
  return text;
}

}  // namespace

ExplainedRecords case_records(const std::vector<PredictedCase>& cases) {
  // An empty table gets every possible column.
  return records_of(case_columns(cases, cases.empty() || any_held_out(cases)), cases);
}

std::string case_text(const std::vector<PredictedCase>& cases, double gemm_efficiency,
                      std::string_view column) {
  return table_text(case_columns(cases, any_held_out(cases)), cases) +
         "  b: micro-batch, m: micro-batches; parts in % of the predicted step\n" +
         summaries(cases, gemm_efficiency, column);
}

}  // namespace report
}  // namespace tofn
