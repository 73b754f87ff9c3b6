#pragma once

#include <string>
#include <vector>

#include "sim/answers/stacks_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Errors and how well intervals hold, of all steps and by stack, accelerator, precision and size.
/// Figures of stacks with their deviations, beside what is known of them before any step.
std::string stacks_text(const std::vector<KernelProfile>&);
/// The same with the steps that moved each figure most.
std::string explained_text(const std::vector<ExplainedStack>&);
AnswerText steps_text(const std::vector<ScoredStep>&, StepProtocol);
/// Why steps are not scored, the number of each reason.
std::string left_out_steps(const std::vector<ScoredStep>&);
ExplainedRecords steps_records(const std::vector<ScoredStep>&, StepProtocol);

}  // namespace report
}  // namespace tofn
