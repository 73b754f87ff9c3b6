#pragma once

#include "sim/answers/sensitivity_answer.hpp"

namespace tofn {
inline namespace answers {

/// Whose doubt makes an interval.
struct TimeUncertainties {
  std::vector<TimeUncertainty> all;  ///< the largest share first
  double deviation = 0;              ///< of the logarithm of the time
  std::optional<Remedy> remedy;
};

/// Of the steps that take a job longest. What is learnt of a stack is taken apart into its figures
/// and what they leave open; shares of figures that are known together are those of their sum.
TimeUncertainties job_uncertainties(const RunEstimate&, const KernelProfile&);

/// Of a workload's run, or of its step where it has no target.
TimeUncertainties run_uncertainties(const RunModel&);

}  // namespace answers
}  // namespace tofn
