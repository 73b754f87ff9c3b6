#include "sim/report/step_cases_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/accuracy.hpp"
#include "sim/core/words.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

namespace {

double seconds_in(Seconds time) { return time.base(); }

}  // namespace

ExplainedRecords case_records(const std::vector<PredictedCase>& cases) {
  using Case = PredictedCase;
  TableColumns<Case> columns;
  for (const auto& column : step_case_columns())
    columns.emplace_back(column.name, of_its(&Case::row, column.value), column.meaning);
  columns.insert(
      columns.end(),
      {{"measured_s", of_its(&Case::row, &StepCaseRow::step, &StepCase::measured, seconds_in)},
       {"predicted_s", of_its(&Case::times, &StepTimes::total, seconds_in)},
       {"error", &Case::error, "predicted over measured, less 1"}});
  if (cases.empty() || any_held_out(cases))  // an empty table gets every possible column
    columns.insert(
        columns.end(),
        {{"left_out_predicted_s", of_its(&Case::held_out, &HeldOut::predicted, seconds_in),
          "step predicted with the row's group left out"},
         {"left_out_error", &Case::held_out_error, "error of that"},
         {"left_out_gemm_efficiency", of_its(&Case::held_out, &HeldOut::gemm_efficiency),
          "efficiency fitted without the row's group"}});
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    columns.emplace_back(fmt::format("{}_s", step_parts[i].first),
                         [i](const Case& c) { return c.times.parts[i].base(); });
  return records_of(columns, cases);
}

namespace {

/// Indices of the parts that some step spends time on.
std::vector<std::size_t> parts_of(const std::vector<PredictedCase>& cases) {
  std::vector<std::size_t> parts;
  for (std::size_t part = 0; part < step_parts.size(); ++part)
    if (std::any_of(cases.begin(), cases.end(),
                    [&](const PredictedCase& each) { return each.times.parts[part] > Seconds{}; }))
      parts.push_back(part);
  return parts;
}

std::string error_cell(const std::optional<double>& error) { return error ? percent(*error) : ""; }

std::vector<std::string> plan_cells(const StepCaseRow& row) {
  const Plan& plan = row.step.plan;
  std::string_view recompute;
  for (const auto& [name, value] : recompute_names)
    if (value == plan.recompute) recompute = name;
  return {row.step.model.name,
          fmt::format("{}", plan.accelerators()),
          fmt::format("{}", plan.tensor_parallel_size),
          fmt::format("{}", plan.pipeline_parallel_size),
          fmt::format("{}", plan.data_parallel_size),
          fmt::format("{:.0f}", plan.micro_batch),
          fmt::format("{}", plan.gradient_accumulation),
          std::string(recompute)};
}

TextTable empty_table(const std::vector<std::size_t>& parts, bool with_held_out) {
  std::vector<TextTable::Column> columns{
      {"model", Align::Left},     {"gpus"},       {"tp"},          {"pp"},     {"dp"}, {"b"}, {"m"},
      {"recompute", Align::Left}, {"measured s"}, {"predicted s"}, {"error %"}};
  if (with_held_out) columns.insert(columns.end(), {{"left out s"}, {"error %"}});
  for (const std::size_t part : parts) columns.push_back({std::string(step_parts[part].first)});
  return TextTable(columns);
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

std::string case_text(const std::vector<PredictedCase>& cases, double gemm_efficiency,
                      std::string_view column) {
  const auto parts = parts_of(cases);
  const bool with_held_out = any_held_out(cases);
  TextTable table = empty_table(parts, with_held_out);
  for (const PredictedCase& each : cases) {
    auto cells = plan_cells(*each.row);
    const auto& measured = each.row->step.measured;
    cells.push_back(measured ? fmt::format("{:.3f}", measured->base()) : "");
    cells.push_back(fmt::format("{:.3f}", each.times.total.base()));
    cells.push_back(error_cell(each.error()));
    if (with_held_out) {
      cells.push_back(each.held_out ? fmt::format("{:.3f}", each.held_out->predicted.base()) : "");
      cells.push_back(error_cell(each.held_out_error()));
    }
    for (const std::size_t part : parts)
      cells.push_back(percent(each.times.parts[part] / each.times.total));
    table.add(std::move(cells));
  }
  return table.render() + "  b: micro-batch, m: micro-batches; parts in % of the predicted step\n" +
         summaries(cases, gemm_efficiency, column);
}

}  // namespace report
}  // namespace tofn
