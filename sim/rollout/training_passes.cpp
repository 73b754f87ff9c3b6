#include "sim/rollout/training_passes.hpp"

#include <algorithm>
#include <cmath>

#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/step_energy.hpp"
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

/// Passes of one step under a plan whose update takes `update`. Forward passes take no time without
/// the work of an update.
TrainingPasses passes_of(const TrainingRequest& request, double branches, const Plan& plan,
                         Seconds update, const StepWork* work) {
  const double passes = request.responses / (plan.micro_batch * plan.data_parallel_size);
  const double of_update = request.responses / request.updates;
  return {.updates = request.updates * update,
          .logprobs = work ? request.forward_passes * forward_pass(*work).of(passes) : Seconds{},
          .update_branches = launches_of_update * request.updates *
                             branch_passes(request, plan, branches, of_update),
          .logprob_branches =
              request.forward_passes * branch_passes(request, plan, branches, request.responses)};
}

/// Ranks plans by the time that their passes take inside a step of RL.
PlanRank rank_in_rl(const TrainingRequest& request, const Decoder& decoder) {
  return [&](const Plan& plan, Seconds update, const StepWork* work) {
    const TrainingTimes times = training_times(
        passes_of(request, decoder.branches, plan, update, work), decoder, RlFigures{});
    return times.updates + times.logprobs;
  };
}

}  // namespace

Model at_length(Model model, double tokens) {
  constexpr double multiple = 64;
  model.sequence_length = std::ceil(tokens / multiple) * multiple;
  return model;
}

SimulatedPasses simulated_passes(const TrainingRequest& request) {
  const Model model = at_length(request.model, request.model.sequence_length);
  const Decoder decoder = decoder_of(model);
  const BestPlan best =
      filled_plan(request.plan, {.model = model,
                                 .cluster = request.cluster,
                                 .profile = request.profile,
                                 .accelerators = request.accelerators,
                                 .global_batch = request.responses / request.updates,
                                 .rank = rank_in_rl(request, decoder)});
  const Plan plan = computed_plan(best.plan, model, request.cluster.accelerator);
  const StepWork work = step_work(model, plan, request.cluster, request.profile);
  const StepTimes step = simulate(work);
  return {.times = passes_of(request, decoder.branches, plan, step.total, &work),
          .activity = (1 / step.total.base()) * activity_of(step),
          .plan = best.plan,
          .fits = best.fits};
}

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
