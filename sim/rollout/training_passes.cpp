#include "sim/rollout/training_passes.hpp"

#include <algorithm>
#include <cmath>

#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/step_activity.hpp"
#include "sim/timeline/forward_pass.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace rollout {
namespace {

/// Passes of one branch in a sweep over tokens of a replica: packed micro-batches, and those that
/// fill the pipeline.
double branch_passes(const TrainingRequest& request, const Plan& plan, double branches,
                     double responses) {
  const double tokens = responses * request.model.sequence_length / plan.data_parallel_size;
  const double micro_batches =
      std::max(1.0, tokens / std::max(request.packed_tokens, request.model.sequence_length));
  const double stages = plan.pipeline_parallel_size;
  return branches / stages * (micro_batches + stages - 1);
}

}  // namespace

Model at_length(Model model, double tokens) {
  constexpr double multiple = 64;
  model.sequence_length = std::ceil(tokens / multiple) * multiple;
  return model;
}

SimulatedPasses simulated_passes(const TrainingRequest& request) {
  const Model model = at_length(request.model, request.model.sequence_length);
  const BestPlan best = filled_plan({.model = model,
                                     .cluster = request.cluster,
                                     .profile = request.profile,
                                     .plan = request.plan,
                                     .accelerators = request.accelerators,
                                     .batch = request.responses / request.updates});
  const Plan plan = computed_plan(best.plan, model, request.cluster.accelerator);
  const StepWork work = step_work(model, plan, request.cluster, request.profile);
  const StepTimes step = simulate(work);
  const double branches = decoder_of(model).branches;
  const double passes = request.responses / (plan.micro_batch * plan.data_parallel_size);
  return {.times = {.updates = request.updates * step.total,
                    .logprobs = request.forward_passes * forward_pass(work).of(passes),
                    .update_branches =
                        launches_of_update * request.updates *
                        branch_passes(request, plan, branches, request.responses / request.updates),
                    .logprob_branches = request.forward_passes *
                                        branch_passes(request, plan, branches, request.responses)},
          .activity = (1 / step.total.base()) * activity_of(step),
          .plan = best.plan,
          .fits = best.fits};
}

}  // namespace rollout
}  // namespace tofn
