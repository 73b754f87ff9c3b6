#pragma once

#include <span>

#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// One observed evaluation with the predicted time of its forward passes.
struct EvaluationEquation {
  double passes = 0;
  double forward_seconds = 0;  ///< of one pass, by the step model
  double observed_seconds = 0;
};

/// Fits observed = passes x max(host, per_forward x forward) by least relative deviations. `host`
/// stays 0 unless it explains more than one more parameter would by chance (Akaike's criterion).
EvaluationCost fit_evaluation(std::span<const EvaluationEquation>);

}  // namespace calibration
}  // namespace tofn
