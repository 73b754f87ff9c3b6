#pragma once

#include <string>
#include <vector>

#include "sim/core/records.hpp"
#include "sim/published/metered_runs.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// A line a metered run: energy and power, metered and predicted.
AnswerText energy_text(const std::vector<MeteredRun>&);
Records energy_records(const std::vector<MeteredRun>&);

}  // namespace report
}  // namespace tofn
