#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/step_cases_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords case_records(const std::vector<PredictedCase>&);
/// Text with a line for each case, with the shares of its step, and the errors overall. `column`:
/// the one whose values were left out in turn; empty if none was.
std::string case_text(const std::vector<PredictedCase>&, double gemm_efficiency,
                      std::string_view column);

}  // namespace report
}  // namespace tofn
