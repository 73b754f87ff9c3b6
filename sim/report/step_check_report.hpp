#pragma once

#include <string>

#include "sim/answers/step_check_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Whether the step is as fast as similar jobs, where it stands among them, and the causes that
/// fit.
AnswerText step_check_text(const StepCheckAnswer&);
/// A row a cause, each with the verdict; one row where there is none.
ExplainedRecords step_check_records(const StepCheckAnswer&);
std::vector<ColumnWords> step_check_words();

}  // namespace report
}  // namespace tofn
