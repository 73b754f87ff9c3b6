#include "sim/simulation/plan_steps.hpp"

#include "sim/core/error.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "sim/simulation/computed_plan.hpp"

namespace tofn {
inline namespace simulation {

PlanSteps::Key PlanSteps::key_of(const Plan& plan) const {
  return {{plan.tensor_parallel_size, plan.context_parallel_size, plan.expert_parallel_size,
           plan.accelerators()},
          plan.micro_batch,
          {plan.whole_experts, plan.sequence_parallel, plan.tensor_overlap, plan.fp8_attention,
           plan.in_network_reduction, ends_share_a_stage(plan), plan.pipeline_parallel_size > 1},
          asked_precision(model_, plan),
          plan.recompute,
          plan.context_exchange,
          plan.cuda_graphs};
}

PlanSteps::Known PlanSteps::made(const Plan& plan) const {
  try {
    Known made;
    made.rank.layers = layer_work(model_, computed_plan(plan, model_, cluster_.accelerator));
    made.rank.limits = plan_limits(made.rank.layers);
    return made;
  } catch (const InputError& error) {
    return {.refusal = error.what()};
  }
}

PlanSteps::Known& PlanSteps::known(const Plan& plan) {
  constexpr std::size_t most = 1024;
  const Key key = key_of(plan);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  if (known_.size() >= most) known_.clear();
  return known_.emplace(key, made(plan)).first->second;
}

PlanSteps::Known& PlanSteps::dividing(const Plan& plan) {
  Known& found = known(plan);
  if (!found.refusal.empty()) throw InputError(found.refusal);
  return found;
}

bool PlanSteps::divides(const Plan& plan) { return known(plan).refusal.empty(); }

const RankLayers& PlanSteps::layers(const Plan& plan) { return dividing(plan).rank; }

Seconds PlanSteps::kernels(const Plan& plan) {
  Known& rank = dividing(plan);
  if (rank.kernels) return *rank.kernels;
  const Accelerator& chip = cluster_.accelerator;
  const PassPrecision precision =
      chip.computes_in(pass_precision(asked_precision(model_, plan), plan.fp8_attention));
  Seconds all;
  for (const LayerWork& layer : rank.rank.layers) {
    const double factor = layer.expert_parameters > 0 ? profile_.mixture_factor.value : 1;
    for (const PassWork* pass : {&layer.forward, &layer.backward, &layer.recompute})
      for (const Kernel& kernel : pass->kernels)
        all += layer.count * factor * kernel_time(kernel, precision, chip, profile_);
  }
  rank.kernels = all;
  return all;
}

StepWork PlanSteps::work(const Plan& plan) {
  Known& rank = dividing(plan);
  return step_work(model_, rank.rank.layers, rank.times, plan, cluster_, profile_);
}

}  // namespace simulation
}  // namespace tofn
