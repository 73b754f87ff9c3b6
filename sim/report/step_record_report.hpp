#pragma once

#include <string>
#include <vector>

#include "sim/answers/step_record_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text with a line for each run, and the median errors if it was measured.
std::string step_record_text(const std::vector<ScaledRun>&, int ranks);
ExplainedRecords step_record_records(const std::vector<ScaledRun>&, int ranks);

}  // namespace report
}  // namespace tofn
