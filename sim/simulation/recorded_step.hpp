#pragma once

#include <string>
#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/core/record.hpp"
#include "sim/core/statistics.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace simulation {

/// A data-parallel step that tofn-bench measured: the median over steps.
struct RecordedStep {
  std::string workload;
  std::string device;  ///< `cpu` or `gpu`
  int ranks = 1;
  Seconds time;
  Interval repeat;           ///< 95 %, seconds: where the median of another run of this length lies
  double noise = 0;          ///< between steps: robust standard deviation over the median
  Bytes gradients;           ///< that the ranks reduce
  Bytes bucket;              ///< in which they travel
  RecordParameters problem;  ///< what is multiplied, reduced and updated, on however many ranks
};

/// The complete steps of a record on so many ranks in one mode: `compute`, `backward`, ...
std::vector<RecordedStep> recorded_steps(const Record&, int ranks, std::string_view overlap);

/// The step of one rank on several, weak scaling: its compute as it was alone, and each bucket's
/// all-reduce by `reduce` after it. For MPI on CPUs, where the core that computes moves the data
/// and so nothing hides. Ranks wait for the slowest of them, by the noise between steps of one.
StepWork step_work(const RecordedStep& alone, int ranks, const CostCurve& reduce);

/// That step simulated.
struct ScaledStep {
  StepTimes times;
  Interval seconds;  ///< 90 %: T(1) and the all-reduces each at the ends of their own interval
};
ScaledStep scale_step(const RecordedStep& alone, int ranks, const CostCurve& reduce);

}  // namespace simulation
}  // namespace tofn
