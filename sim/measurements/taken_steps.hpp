#pragma once

#include <string>
#include <vector>

#include "sim/measurements/steady_steps.hpp"
#include "sim/measurements/step_format.hpp"
#include "sim/measurements/step_log.hpp"

namespace tofn {
inline namespace measurements {

/// Steady times of a run that give its step, and its regimes if the level changed.
struct TakenSteps {
  SteadySteps steady;
  std::vector<StepRegime> regimes;
};

/// Returns the steady steps of a run, or of one of its regimes; adds remarks on what was left out.
TakenSteps taken_of(const LogText&, const LoggedSteps&, RegimeTaken,
                    std::vector<std::string>& remarks);

}  // namespace measurements
}  // namespace tofn
