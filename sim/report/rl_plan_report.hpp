#pragma once

#include <string>

#include "sim/answers/rl_plan_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of a choice: the best run, the best division of each size of each cluster, and the command
/// that predicts what is shown.
AnswerText rl_plan_text(const RlSearch&, const RlChoice&, const std::string& command);
/// One row a candidate, best first.
ExplainedRecords rl_plan_records(const RlChoice&);

}  // namespace report
}  // namespace tofn
