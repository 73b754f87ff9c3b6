#include "sim/training/run_activity.hpp"

namespace tofn {

Activity activity_of(const StepBreakdown& step) {
  return {.computing = step.arithmetic.time + step.optimizer.time,
          .launching = step.overhead.time,
          .communicating = step.exposed_communication().time + step.stragglers.time,
          .idle = {}};
}

Activity activity_of(const RunBreakdown& run) {
  const double steps = (run.training.time + run.evaluation.time) / run.step.total().time;
  Activity activity = steps * activity_of(run.step);
  activity.idle += run.fixed.time;
  return activity;
}

}  // namespace tofn
