#pragma once

#include <string>
#include <vector>

#include "sim/answers/slow_cases_answer.hpp"
#include "sim/diagnosis/detection.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the detection of synthetic faults at several rates of false alarms, of how often each
/// synthetic cause is named, and of the judgements of published tables whose cause is known.
AnswerText detection_text(const std::vector<DetectionTrial>&, const std::vector<CauseTrial>&,
                          const std::vector<SlowCase>&);

/// One row a trial; `cause` and `reported` are filled only for trials with a cause.
ExplainedRecords detection_records(const std::vector<DetectionTrial>&,
                                   const std::vector<CauseTrial>&);

}  // namespace report
}  // namespace tofn
