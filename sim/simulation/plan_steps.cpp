#include "sim/simulation/plan_steps.hpp"

#include "sim/core/error.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/layer_pass.hpp"
#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace simulation {

PlanSteps::Key PlanSteps::key_of(const Plan& plan) const {
  return {{plan.tensor_parallel_size, plan.context_parallel_size, plan.expert_parallel_size,
           plan.accelerators()},
          plan.micro_batch,
          {plan.whole_experts, plan.sequence_parallel, plan.tensor_overlap, plan.fp8_attention,
           plan.in_network_reduction, ends_share_a_stage(plan), plan.pipeline_parallel_size > 1,
           traits_of(plan.schedule).splits_backward},
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

RankLengths PlanSteps::measured(const Plan& plan, const std::vector<LayerWork>& layers) const {
  const Accelerator& chip = cluster_.accelerator;
  const Communicators communicators = place_groups(plan, cluster_);
  const Machine machine{.plan = plan,
                        .accelerator = chip,
                        .profile = profile_,
                        .communicators = communicators,
                        .precision = chip.computes_in(
                            pass_precision(asked_precision(model_, plan), plan.fp8_attention))};
  const Slowdown slowdown = uniform_slowdown(profile_.overlap_slowdown);
  const bool split = traits_of(plan.schedule).splits_backward;
  RankLengths lengths;
  for (const LayerWork& layer : layers) {
    const LayerTimes times = layer_times(layer, machine);
    const auto length = [&](PassKind kind) {
      return layer_length(part_of(times, kind, split), {}, slowdown);
    };
    const Seconds forward = length(PassKind::Forward);
    const Seconds back = length(PassKind::Backward);
    const Seconds later = split ? length(PassKind::WeightGradients) : Seconds{};
    lengths.layers.push_back({.forward = forward, .back = back, .all = forward + back + later});
    lengths.sum += layer.count * lengths.layers.back().all;
  }
  return lengths;
}

const RankLengths& PlanSteps::lengths(const Plan& plan) {
  Known& rank = dividing(plan);
  if (!rank.lengths) rank.lengths = measured(plan, rank.rank.layers);
  return *rank.lengths;
}

StepWork PlanSteps::work(const Plan& plan) {
  Known& rank = dividing(plan);
  return step_work(model_, rank.rank.layers, rank.times, plan, cluster_, profile_);
}

}  // namespace simulation
}  // namespace tofn
