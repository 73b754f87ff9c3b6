#pragma once

#include <span>

#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// One observed evaluation beside what its forward passes would take.
struct EvaluationEquation {
  double passes = 0;
  double forward_seconds = 0;  ///< of one pass, by the step model
  double observed_seconds = 0;
};

/// Least relative deviations of observed = passes x max(host, per_forward x forward). `host` stays
/// 0 unless it explains more than one more parameter would by chance (Akaike's criterion).
EvaluationCost fit_evaluation(std::span<const EvaluationEquation>);

}  // namespace calibration
}  // namespace tofn
