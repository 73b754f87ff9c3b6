#pragma once

#include <string>
#include <vector>

#include "sim/published/metered_runs.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text with a line for each metered run: measured and predicted energy and power.
AnswerText energy_text(const std::vector<MeteredRun>&);
ExplainedRecords energy_records(const std::vector<MeteredRun>&);

}  // namespace report
}  // namespace tofn
