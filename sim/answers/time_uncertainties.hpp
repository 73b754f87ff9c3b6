#pragma once

#include "sim/answers/sensitivity_answer.hpp"

namespace tofn {
inline namespace answers {

/// Uncertainties that make an interval wide.
struct TimeUncertainties {
  std::vector<TimeUncertainty> all;  ///< largest share first
  double deviation = 0;              ///< of the logarithm of the time
  std::vector<Measurement> next;     ///< measurements that would narrow it, best first (`ranked`)
};

/// Uncertainties of a job, for the steps that take most of it. The fitted uncertainty of a stack is
/// divided among its figures and the discrepancy; correlated figures each get their share of the
/// variance of the sum.
TimeUncertainties job_uncertainties(const RunEstimate&, const KernelProfile&);

/// Uncertainties of a workload's run, or of its step if it has no target.
TimeUncertainties run_uncertainties(const RunModel&);

}  // namespace answers
}  // namespace tofn
