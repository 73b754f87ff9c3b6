#pragma once

#include <string>

#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {

/// Sizes, iterations and step times of a run for those who watch it: times are those of the job
/// that printed the last step, and time stamps tell how much of its time passed between steps.
/// `unknown` says why no line has a time; otherwise it is empty.
StepSurvey survey_of(const LoggedSteps&, const std::string& unknown);

}  // namespace formats
}  // namespace tofn
