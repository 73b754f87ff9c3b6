#pragma once

#include <string>
#include <vector>

#include "sim/formats/step_logs/steady_steps.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_log.hpp"

namespace tofn {
inline namespace formats {

/// Steady times of a run that give its step, and its regimes if the level changed.
struct TakenSteps {
  SteadySteps steady;
  std::vector<StepRegime> regimes;
};

/// Returns the steady steps of a run, or of one of its regimes; adds remarks on what was left out.
TakenSteps taken_of(const LogText&, const LoggedSteps&, RegimeTaken,
                    std::vector<std::string>& remarks);

}  // namespace formats
}  // namespace tofn
