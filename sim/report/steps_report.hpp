#pragma once

#include <string>
#include <vector>

#include "sim/answers/stacks_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the figures of stacks with their deviations, and of the values known before any step.
std::string stacks_text(const std::vector<KernelProfile>&);
/// Text of the figures with the steps that moved each of them most.
std::string explained_text(const std::vector<ExplainedStack>&);
/// Text of errors and coverage of intervals, of all steps and by stack, accelerator, precision and
/// size.
AnswerText steps_text(const std::vector<ScoredStep>&, StepProtocol);
/// Text of the number of steps not scored, by reason.
std::string left_out_steps(const std::vector<ScoredStep>&);
ExplainedRecords steps_records(const std::vector<ScoredStep>&, StepProtocol);

}  // namespace report
}  // namespace tofn
