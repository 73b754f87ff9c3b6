#include "sim/rollout/rl_activity.hpp"

namespace tofn {
inline namespace rollout {

Activity rl_activity(const RlStep& step, const SimulatedPasses& passes, int generators,
                     int trainers) {
  const Seconds simulated = passes.times.updates + passes.times.logprobs;
  Activity training = simulated.base() * passes.activity;
  training.launching += step.updates + step.logprobs - simulated;
  training.communicating += step.refit + step.others;
  if (step.placement.is_colocated) return step.rollout.activity + training;
  const Seconds wait = step.generators_wait();
  Activity generating = ((step.period() - wait) / step.generation()) * step.rollout.activity;
  generating.idle += wait;
  training.idle += step.trainers_wait();
  const double share = 1.0 * generators / (generators + trainers);
  return share * generating + (1 - share) * training;
}

}  // namespace rollout
}  // namespace tofn
