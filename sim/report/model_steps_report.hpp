#pragma once

#include <string>

#include "sim/answers/model_steps_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the error of each row before and after the fit, and of the stack's figures before and
/// after.
std::string model_steps_text(const LearnedSteps&);

/// One row for each measured step.
ExplainedRecords model_steps_records(const LearnedSteps&);

}  // namespace report
}  // namespace tofn
