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

/// A data-parallel step that tofn-bench measured, as the median over steps.
struct RecordedStep {
  std::string workload;
  std::string device;  ///< `cpu` or `gpu`
  int ranks = 1;
  Seconds time;
  Interval repeat;           ///< 95 %, seconds: range of the median of another run of this length
  double noise = 0;          ///< between steps: robust standard deviation over the median
  Bytes gradients;           ///< that the ranks reduce
  Bytes bucket;              ///< size of a bucket of gradients
  RecordParameters problem;  ///< sizes of the work, whatever the number of ranks
};

/// Returns the complete steps of a record on `ranks` ranks in one mode: `compute`, `backward`, ...
std::vector<RecordedStep> recorded_steps(const Record&, int ranks, std::string_view overlap);

/// Step of one rank scaled weakly to several: its compute as measured alone, then each bucket's
/// all-reduce by `reduce`, its time or an end of its interval (`taken`). For MPI on CPUs, because there the computing core also moves the data,
/// so that no traffic overlaps. Ranks wait for the slowest of them, by the noise between steps of
/// one rank.
StepWork step_work(const RecordedStep& alone, int ranks, const CostCurve& reduce,
                   Seconds CurveAnswer::*taken = &CurveAnswer::time);

/// A scaled step, simulated.
struct ScaledStep {
  StepTimes times;
  Interval seconds;  ///< 90 %: T(1) and the all-reduces each at the ends of their interval
};
ScaledStep scale_step(const RecordedStep& alone, int ranks, const CostCurve& reduce);

}  // namespace simulation
}  // namespace tofn
