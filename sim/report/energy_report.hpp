#pragma once

#include <string>
#include <vector>

#include "sim/published/metered_runs.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// A line a metered run: energy and power, metered and predicted.
AnswerText energy_text(const std::vector<MeteredRun>&);
ExplainedRecords energy_records(const std::vector<MeteredRun>&);

}  // namespace report
}  // namespace tofn
