#pragma once

#include "sim/answers/rl_scores_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Errors of RL steps and of generation rates, each predicted without its model. Details: a line
/// for each row and pair, fitted figures, and why rows are left out.
AnswerText rl_scores_text(const RlScores&);
ExplainedRecords rl_scores_records(const RlScores&);

}  // namespace report
}  // namespace tofn
