#include "sim/simulation/step_activity.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {

Activity activity_of(const RunBreakdown& run) {
  const double steps = (run.training.time + run.evaluation.time) / run.step.total;
  Activity activity = steps * activity_of(run.step);
  activity.idle += run.fixed.time;
  return activity;
}

}  // namespace training
}  // namespace tofn
