#pragma once

#include <string>
#include <vector>

#include "sim/measurements/steady_steps.hpp"
#include "sim/measurements/step_format.hpp"
#include "sim/measurements/step_log.hpp"

namespace tofn {
inline namespace measurements {

/// The times of a run that stand for its step, and its regimes where it turned.
struct TakenSteps {
  SteadySteps steady;
  std::vector<StepRegime> regimes;
};

/// The steady steps of a run, or of one of its regimes, with remarks on what was left out.
TakenSteps taken_of(const LogText&, const LoggedSteps&, RegimeTaken,
                    std::vector<std::string>& remarks);

}  // namespace measurements
}  // namespace tofn
