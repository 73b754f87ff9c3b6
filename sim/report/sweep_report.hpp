#pragma once

#include "sim/answers/sweep_job.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Text of the best row, the axes, the first rows with the columns that fit on a screen, and the
/// summary of the points.
AnswerText sweep_text(const Sweep&, const Records&, const SweepSummary&);

}  // namespace report
}  // namespace tofn
