#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/simulation/fit_efficiency.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// Stack of a workload with simulated steps, refined by measured steps for one run.
struct LearnedKernels {
  std::shared_ptr<const KernelProfile> kernels;
  Precision precision = Precision::Bf16;  ///< of the run, or of most of these steps
  std::string accelerator;                ///< of these steps; empty if they ran on several
  bool split_was_observed = false;        ///< a step had the run's tp and cp
};

/// Measured steps of one workload whose steps are simulated.
class TeachingSteps {
 public:
  /// Takes the observations that have a step time; their settings are filled in.
  explicit TeachingSteps(std::span<const Observation* const>);

  /// Stack refined by steps on the run's accelerator, else on its architecture; of these, by those
  /// in the run's precision if there are any. Equal jobs count once, by their median. Absent if no
  /// such step was measured, or the stack has no fitted figures.
  std::optional<LearnedKernels> learned_for(const RunDescription&) const;

 private:
  std::vector<StepCase> seen_;  ///< their plans state the precision
};

}  // namespace calibration
}  // namespace tofn
