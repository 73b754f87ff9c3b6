#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/simulation/fit_efficiency.hpp"
#include "sim/training/observation.hpp"

namespace tofn {
inline namespace calibration {

/// Stack of a workload whose steps are simulated, as measured steps of it leave it for one run.
struct LearntKernels {
  std::shared_ptr<const KernelProfile> kernels;
  Precision precision = Precision::Bf16;  ///< the run's, or that of most of these steps
  std::string accelerator;                ///< that they ran on; empty: several
  bool split_was_observed = false;        ///< a step had the run's tp and cp
};

/// Measured step of a workload, and what its products ran in.
struct TeachingStep {
  StepCase step;
  Precision precision = Precision::Bf16;
};

/// Measured steps of one workload whose steps are simulated.
class TeachingSteps {
 public:
  /// Takes those of the observations that say what a step took; their settings are filled in.
  explicit TeachingSteps(std::span<const Observation* const>);

  /// Learnt from steps on the run's accelerator, else on those of its architecture; of these from
  /// the ones in the run's precision, where there are any. Equal jobs count once, by their median.
  /// Absent: no such step was measured, or nothing was learnt of the stack before.
  std::optional<LearntKernels> learnt_for(const RunDescription&) const;

 private:
  std::vector<TeachingStep> seen_;
};

}  // namespace calibration
}  // namespace tofn
