#include "sim/simulation/plan_steps.hpp"

#include "sim/core/error.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace simulation {

PlanSteps::Key PlanSteps::key_of(const Plan& plan) const {
  const auto& stated = plan.accelerators_per_domain;  // too many are refused as the job is placed
  return {{plan.tensor_parallel_size, plan.context_parallel_size, plan.expert_parallel_size,
           plan.accelerators(), stated ? *stated : used_of_domain(plan, cluster_),
           plan.shard_ranks.value_or(0), static_cast<int>(plan.recompute_modules.bits()),
           plan.loss_chunks, static_cast<int>(plan.expert_dispatch)},
          plan.micro_batch,
          {plan.whole_experts, plan.sequence_parallel, plan.tensor_overlap, plan.fp8_attention,
           plan.in_network_reduction, ends_share_a_stage(plan), plan.pipeline_parallel_size > 1,
           plan.fp8_dispatch, plan.compile.has_value(), plan.compile == Compile::On,
           shape_of(plan).pairs},
          asked_precision(model_, plan),
          plan.recompute,
          plan.context_exchange,
          plan.cuda_graphs};
}

RankWork PlanSteps::made(const Plan& plan) const {
  try {
    RankWork rank;
    rank.layers = layer_work(model_, computed_plan(plan, model_, cluster_.accelerator));
    rank.limits = plan_limits(rank.layers);
    return rank;
  } catch (const InputError& error) {
    return {.refusal = error.what()};
  }
}

RankWork& PlanSteps::rank(const Plan& plan) {
  const Key key = key_of(plan);
  const auto found = known_.find(key);
  return found != known_.end() ? found->second : known_.emplace(key, made(plan)).first->second;
}

RankWork& PlanSteps::dividing_rank(const Plan& plan) {
  RankWork& found = rank(plan);
  if (!found.refusal.empty()) throw InputError(found.refusal);
  return found;
}

const LayerLengths& PlanSteps::lengths(const Plan& plan, RankWork& rank) const {
  const bool split = traits_of(plan.schedule).splits_backward;
  const bool pairs = shape_of(plan).pairs;
  std::optional<LayerLengths>& lengths = rank.lengths[split ? 1 : 0];
  if (lengths) return *lengths;
  const KindTimes& times = layer_times(model_, rank.layers, rank.times, plan, cluster_, profile_);
  lengths.emplace();
  for (const LayerTimes& layer : times.front()) {
    const auto length = [&](PassKind kind) {
      return layer_length(pairs ? paired_part_of(layer, kind, split) : part_of(layer, kind, split),
                          {}, uniform_slowdown(profile_.overlap_slowdown));
    };
    const Seconds forward = length(PassKind::Forward);
    const Seconds back = length(PassKind::Backward);
    const Seconds later = split ? length(PassKind::WeightGradients) : Seconds{};
    lengths->of_one.push_back({.forward = forward, .back = back, .all = forward + back + later});
    lengths->all += layer.count * lengths->of_one.back().all;
  }
  return *lengths;
}

StepWork PlanSteps::work(const Plan& plan, RankWork& rank) const {
  return step_work(model_, rank.layers, rank.times, plan, cluster_, profile_);
}

}  // namespace simulation
}  // namespace tofn
