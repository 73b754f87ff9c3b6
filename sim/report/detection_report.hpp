#pragma once

#include <string>
#include <vector>

#include "sim/answers/slow_cases_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/validation/detection.hpp"

namespace tofn {
inline namespace report {

/// What is found of made-up faults at several rates of false alarms, how often each made-up cause
/// is named, and what the times of published tables whose cause is known say.
AnswerText detection_text(const std::vector<DetectionTrial>&, const std::vector<CauseTrial>&,
                          const std::vector<SlowCase>&);

/// One row a trial; `cause` and `told` of those with a cause.
ExplainedRecords detection_records(const std::vector<DetectionTrial>&,
                                   const std::vector<CauseTrial>&);

}  // namespace report
}  // namespace tofn
