#pragma once

#include <span>

#include "sim/training/run.hpp"

namespace tofn {

/// One observed evaluation beside what its forward passes would take.
struct EvaluationEquation {
  double passes = 0;
  double forward_seconds = 0;  ///< of all passes, by the step model
  double observed_seconds = 0;
};

/// Least relative deviations of observed = passes*per_pass + forward*per_forward. `per_pass` (host
/// work: loading, launching, post-processing) stays 0 unless it is two standard errors above it.
EvaluationCost fit_evaluation(std::span<const EvaluationEquation>);

}  // namespace tofn
