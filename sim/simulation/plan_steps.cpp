#include "sim/simulation/plan_steps.hpp"

#include "sim/core/error.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace simulation {

/// Accelerators that the plan uses of a domain if it does not state them; cached, because
/// neighbouring plans of a search share the result.
int PlanSteps::used_of_domain(const Plan& plan) {
  const std::array sizes{plan.tensor_parallel_size, plan.context_parallel_size,
                         plan.expert_parallel_size, plan.pipeline_parallel_size,
                         plan.data_parallel_size,   static_cast<int>(plan.whole_experts)};
  if (sizes != placed_sizes_) {
    placed_used_ = tofn::used_of_domain(plan, cluster_);
    placed_sizes_ = sizes;
  }
  return placed_used_;
}

PlanSteps::Key PlanSteps::key_of(const Plan& plan) {
  const auto& stated = plan.accelerators_per_domain;  // placing the job refuses too many
  return {{plan.tensor_parallel_size, plan.context_parallel_size, plan.expert_parallel_size,
           plan.accelerators(), stated ? *stated : used_of_domain(plan),
           plan.shard_ranks.value_or(0), static_cast<int>(plan.recompute_modules.bits()),
           plan.loss_chunks, static_cast<int>(plan.expert_dispatch)},
          plan.micro_batch,
          {plan.whole_experts, plan.sequence_parallel, plan.tensor_overlap, plan.fp8_attention,
           plan.in_network_reduction, ends_share_a_stage(plan), plan.pipeline_parallel_size > 1,
           plan.fp8_dispatch, plan.compile.has_value(), plan.compile == Compile::On,
           shape_of(plan).pairs},
          requested_precision(model_, plan),
          plan.recompute,
          plan.context_exchange,
          plan.cuda_graphs};
}

/// Hashes the fields that differ most between the plans of a search.
std::size_t PlanSteps::Hash::operator()(const Key& key) const {
  constexpr std::size_t odd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio (Knuth, 6.4)
  const auto& sizes = std::get<0>(key);
  std::size_t hash = std::hash<double>{}(std::get<double>(key));
  for (const int value : {sizes[0], sizes[1], sizes[2], static_cast<int>(std::get<Recompute>(key))})
    hash = (hash ^ static_cast<std::size_t>(value)) * odd;
  for (const bool choice : {std::get<2>(key)[0], std::get<2>(key)[2], std::get<2>(key)[5]})
    hash = 2 * hash + choice;
  return hash ^ hash >> 32;
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
  for (const LayerTimes& layer : times.front().layers) {
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

const PlacedLayers& PlanSteps::placed(const Plan& plan, RankWork& rank) const {
  std::tuple key(plan.pipeline_parallel_size * plan.chunks_per_stage, plan.balanced_stages,
                 plan.stage_layers.counts);
  const auto found = rank.placed.find(key);
  if (found != rank.placed.end()) return found->second;
  return rank.placed.emplace(std::move(key), place_layers(rank.layers, plan)).first->second;
}

StepWork PlanSteps::work(const Plan& plan, RankWork& rank) const {
  return step_work(model_, rank.layers, placed(plan, rank), rank.times, plan, cluster_, profile_);
}

}  // namespace simulation
}  // namespace tofn
