#include "sim/rollout/training_passes.hpp"

#include <cmath>

#include "sim/simulation/computed_plan.hpp"
#include "sim/timeline/forward_pass.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace rollout {

SimulatedPasses simulated_passes(const TrainingRequest& request) {
  constexpr double multiple = 64;  // ranks of tensor and context parallelism divide it
  Model model = request.model;
  model.sequence_length = std::ceil(model.sequence_length / multiple) * multiple;
  const BestPlan best = filled_plan({.model = model,
                                     .cluster = request.cluster,
                                     .profile = request.profile,
                                     .plan = request.plan,
                                     .accelerators = request.accelerators,
                                     .batch = std::ceil(request.responses / request.updates)});
  const Plan plan = computed_plan(best.plan, model, request.cluster.accelerator);
  const StepWork work = step_work(model, plan, request.cluster, request.profile);
  const double passes = request.responses / (plan.micro_batch * plan.data_parallel_size);
  return {.times = {.updates = request.updates * simulate(work).total,
                    .logprobs = request.forward_passes * forward_pass(work).of(passes)},
          .plan = best.plan,
          .fits = best.fits};
}

}  // namespace rollout
}  // namespace tofn
