#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/step_cases_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords case_records(const std::vector<PredictedCase>&);
/// A line for each, their shares of the step, and what the errors come to. `column`: which one was
/// left out by its values; empty: none was.
std::string case_text(const std::vector<PredictedCase>&, double gemm_efficiency,
                      std::string_view column);

}  // namespace report
}  // namespace tofn
