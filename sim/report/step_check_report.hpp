#pragma once

#include <string>

#include "sim/answers/step_check_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of whether the step is as fast as similar jobs, its rank among them, and the likely causes.
AnswerText step_check_text(const StepCheckAnswer&);
/// One row a cause, each with the verdict; one row in all if there is no cause.
ExplainedRecords step_check_records(const StepCheckAnswer&);
std::vector<ColumnWords> step_check_words();

}  // namespace report
}  // namespace tofn
