#pragma once

#include "sim/answers/sweep_job.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// The best row, the axes, the first rows with the columns that fit into a screen, and what became
/// of the points.
AnswerText sweep_text(const Sweep&, const Records&, const SweepSummary&);

}  // namespace report
}  // namespace tofn
