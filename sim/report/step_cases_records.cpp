#include <fmt/format.h>

#include "sim/report/step_cases_report.hpp"

namespace tofn {
inline namespace report {
namespace {

double seconds_in(Seconds time) { return time.base(); }

}  // namespace

Records case_records(const std::vector<PredictedCase>& cases) {
  using Case = PredictedCase;
  Columns<Case> columns;
  for (const auto& column : step_case_columns())
    columns.emplace_back(column.name, of_its(&Case::row, column.value));
  columns.insert(
      columns.end(),
      {{"measured_s", of_its(&Case::row, &StepCaseRow::step, &StepCase::measured, seconds_in)},
       {"predicted_s", of_its(&Case::times, &StepTimes::total, seconds_in)},
       {"error", &Case::error}});
  if (any_held_out(cases))
    columns.insert(
        columns.end(),
        {{"left_out_predicted_s", of_its(&Case::held_out, &HeldOut::predicted, seconds_in)},
         {"left_out_error", &Case::held_out_error},
         {"left_out_gemm_efficiency", of_its(&Case::held_out, &HeldOut::gemm_efficiency)}});
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    columns.emplace_back(fmt::format("{}_s", step_parts[i].first),
                         [i](const Case& c) { return c.times.parts[i].base(); });
  return records_of(columns, cases);
}

}  // namespace report
}  // namespace tofn
