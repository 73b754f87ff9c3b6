#pragma once

#include <string>

#include "sim/answers/model_steps_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// How far off each row was and is, and the stack's figures before and after.
std::string model_steps_text(const LearntSteps&);

/// One row per measured step.
ExplainedRecords model_steps_records(const LearntSteps&);

}  // namespace report
}  // namespace tofn
