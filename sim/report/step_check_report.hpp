#pragma once

#include <string>

#include "sim/answers/step_check_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Whether the step is as fast as similar jobs, where it stands among them, and the causes that
/// fit.
AnswerText step_check_text(const StepCheckAnswer&);
/// A row a cause, each with the verdict; one row where there is none.
Records step_check_records(const StepCheckAnswer&);

}  // namespace report
}  // namespace tofn
