#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "sim/parallelism/plan.hpp"

// Fields of a plan, one row each. Files, options, lists, columns of sweeps and a plan's words walk
// these rows. A new field needs a member and a row.

namespace tofn {
inline namespace parallelism {

/// Condition under which a plan's words name a field.
enum class Printed { WhereUnusual, OnPipelines, Always };

/// Condition without which a field has no effect and is not named.
struct Need {
  std::string_view words;
  bool (*is_met)(const Plan&);
};
inline constexpr Need no_need{"nothing", [](const Plan&) { return true; }};
inline constexpr Need tensor_ranks_needed{
    "tp > 1", [](const Plan& plan) { return plan.tensor_parallel_size > 1; }};
inline constexpr Need context_ranks_needed{
    "cp > 1", [](const Plan& plan) { return plan.context_parallel_size > 1; }};
inline constexpr Need expert_ranks_needed{
    "ep > 1", [](const Plan& plan) { return plan.expert_parallel_size > 1; }};
inline constexpr Need selection_needed{"selective recomputation", [](const Plan& plan) {
                                         return plan.recompute == Recompute::Selective;
                                       }};
inline constexpr Need stages_needed{
    "pp > 1", [](const Plan& plan) { return plan.pipeline_parallel_size > 1; }};
inline constexpr Need replicas_needed{
    "dp*cp > 1", [](const Plan& plan) { return gradient_ranks(plan).count > 1; }};
inline constexpr Need shards_needed{
    "something sharded", [](const Plan& plan) { return plan.sharded != Sharded::Nothing; }};
inline constexpr Need updated_shards_needed{"sharded optimizer or gradients", [](const Plan& plan) {
                                              return plan.sharded == Sharded::Optimizer ||
                                                     plan.sharded == Sharded::Gradients;
                                            }};

struct PlanField {
  std::string_view key;      ///< in a plan's file, dotted in its settings; empty: not in files
  std::string_view name;     ///< short; of columns and of the option
  std::string_view meaning;  ///< without the valid values
  /// Words of the field with its value as {}. Words that start with a space continue the last ones;
  /// empty: another part of the text names the field.
  std::string_view words;
  Need need = no_need;
  Printed printed = Printed::WhereUnusual;
  bool is_required = false;    ///< in a plan's file
  bool is_worked_out = false;  ///< worked out from accelerators and batch: no option

  /// True if a plan's file has the key outside its settings.
  bool is_own_key() const { return !key.empty() && key.find('.') == std::string_view::npos; }
  /// Name of the option, such as `sequence-parallel`.
  std::string option() const {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
  }
};

/// Table of names of an optional enum.
template <class E>
constexpr const auto& names_of(std::optional<E>) {
  return names_of(E{});
}

/// Calls `visit(field, member)` for each field, after those that it needs. A member is an int or an
/// enum with a table of names (`names_of`), both possibly optional, a bool, StageLayers or
/// RecomputeModules.
template <class Visit>
void visit_plan(const Visit& visit) {
  visit(PlanField{.key = "tensor_parallel",
                  .name = "tp",
                  .meaning = "tensor parallel size",
                  .words = "tp {}",
                  .is_required = true},
        &Plan::tensor_parallel_size);
  visit(PlanField{.key = "context_parallel",
                  .name = "cp",
                  .meaning = "context parallel size",
                  .words = "cp {}",
                  .is_required = true},
        &Plan::context_parallel_size);
  visit(PlanField{"pipeline_parallel", "pp", "pipeline stages", "pp {}"},
        &Plan::pipeline_parallel_size);
  visit(PlanField{"chunks_per_stage", "chunks", "chunks of layers on each stage (interleaving)",
                  "chunks {}", stages_needed},
        &Plan::chunks_per_stage);
  visit(PlanField{.key = "",
                  .name = "dp",
                  .meaning = "data parallel size: replicas of the model",
                  .words = "dp {}",
                  .printed = Printed::Always,
                  .is_worked_out = true},
        &Plan::data_parallel_size);
  visit(PlanField{"expert_parallel", "ep", "expert parallel size", "ep {}"},
        &Plan::expert_parallel_size);
  visit(PlanField{"whole_experts", "whole_experts",
                  "each expert whole on one rank, so that ep counts tensor ranks too",
                  "whole experts", tensor_ranks_needed},
        &Plan::whole_experts);
  visit(PlanField{"expert_dispatch", "expert_dispatch",
                  "exchange that sends tokens to the ranks of their experts", "{} dispatch",
                  expert_ranks_needed},
        &Plan::expert_dispatch);
  visit(PlanField{"fp8_dispatch", "fp8_dispatch", "tokens sent to experts in 8 bits",
                  "fp8 dispatch", expert_ranks_needed},
        &Plan::fp8_dispatch);
  visit(PlanField{"expert_overlap", "expert_overlap",
                  "exchanges of experts during another micro-batch's pass", "experts overlapped",
                  expert_ranks_needed},
        &Plan::expert_overlap);
  visit(PlanField{"schedule", "schedule", "pipeline schedule", "{}", stages_needed,
                  Printed::OnPipelines},
        &Plan::schedule);
  visit(PlanField{"stage_layers", "stage_layers", "layers of each virtual stage", "layers {}",
                  stages_needed},
        &Plan::stage_layers);
  visit(PlanField{"balanced_stages", "balanced_stages",
                  "layers spread over stages by parameters, including the head's",
                  "balanced stages", stages_needed},
        &Plan::balanced_stages);
  visit(PlanField{"sequence_parallel", "sequence_parallel",
                  "sequence parallelism over the tensor ranks", "sequence parallel",
                  tensor_ranks_needed},
        &Plan::sequence_parallel);
  visit(PlanField{"settings.tensor_overlap", "tensor_overlap",
                  "tensor-parallel traffic during the products", "tensor overlap",
                  tensor_ranks_needed},
        &Plan::tensor_overlap);
  visit(PlanField{"context_exchange", "context_exchange",
                  "exchange of keys and values between context ranks", "{} of keys and values",
                  context_ranks_needed},
        &Plan::context_exchange);
  visit(PlanField{"recompute", "recompute", "activations computed again in the backward pass",
                  "recompute {}"},
        &Plan::recompute);
  visit(PlanField{"recompute_modules", "recompute_modules",
                  "modules that selective recomputation runs again (default: the stack's)",
                  " of {}", selection_needed},
        &Plan::recompute_modules);
  visit(PlanField{"loss_chunks", "loss_chunks", "chunks of tokens that pass the loss one at a time",
                  "loss in {} chunks"},
        &Plan::loss_chunks);
  visit(PlanField{"sharded", "sharded", "training state sharded over replicas (ZeRO 0-3)",
                  "{} sharded", replicas_needed},
        &Plan::sharded);
  visit(PlanField{"shards_in_domain", "shards_in_domain", "shards within a scale-up domain (HSDP)",
                  " in the domain", shards_needed},
        &Plan::shards_in_domain);
  visit(
      PlanField{"shard_ranks", "shard_ranks", "ranks that share one copy of what is sharded (HSDP)",
                " over {} ranks each", shards_needed},
      &Plan::shard_ranks);
  visit(PlanField{"settings.overlap_gradient_reduction", "data_overlap",
                  "gradients reduced during the backward pass", "gradients not overlapped",
                  replicas_needed},
        &Plan::data_overlap);
  visit(PlanField{"parameter_overlap", "parameter_overlap",
                  "updated parameters gathered during the forward pass (ZeRO 1 and 2)",
                  "parameters overlapped", updated_shards_needed},
        &Plan::parameter_overlap);
  visit(PlanField{"send_overlap", "send_overlap", "pipeline sends during the next pass",
                  "sends overlapped", stages_needed},
        &Plan::send_overlap);
  visit(PlanField{"optimizer", "optimizer", "optimizer", "{}"}, &Plan::optimizer);
  visit(PlanField{"offload_optimizer", "offload_optimizer",
                  "optimizer state kept, and its step made, on the host", "optimizer on the host"},
        &Plan::offloads_optimizer);
  visit(PlanField{"kept_parameters", "kept_parameters", "format of parameters between steps", ""},
        &Plan::kept_parameters);
  visit(PlanField{"kept_gradients", "kept_gradients", "format in which gradients accumulate", ""},
        &Plan::kept_gradients);
  visit(PlanField{"kept_master", "kept_master", "format of the optimizer's master parameters", ""},
        &Plan::kept_master);
  visit(PlanField{"kept_moments", "kept_moments", "format of the optimizer's moments", ""},
        &Plan::kept_moments);
  visit(PlanField{"compression", "compression", "compression of gradients", "gradients {}",
                  replicas_needed},
        &Plan::compression);
  visit(PlanField{"settings.cuda_graphs", "cuda_graphs",
                  "kernels launched together as one CUDA graph", "CUDA graphs {}"},
        &Plan::cuda_graphs);
  visit(PlanField{"compile", "compile", "operators fused by a compiler (default: as the stack)",
                  "compile {}"},
        &Plan::compile);
  visit(PlanField{"settings.precision", "precision", "precision of matrix products", ""},
        &Plan::precision);
  visit(PlanField{"gradient_precision", "gradient_precision",
                  "precision in which gradients are reduced (default: the stack's)",
                  "gradients in {}", replicas_needed},
        &Plan::gradient_precision);
  visit(PlanField{"parameter_precision", "parameter_precision",
                  "precision in which parameters are gathered (default: the stack's)",
                  "parameters in {}", shards_needed},
        &Plan::parameter_precision);
  visit(PlanField{"settings.fp8_attention", "fp8_attention",
                  "fp8 attention, for models in fp8 or fp4", "fp8 attention"},
        &Plan::fp8_attention);
  visit(PlanField{"accelerators_per_domain", "accelerators_per_domain",
                  "accelerators that the job uses of each scale-up domain, if it takes several",
                  "{} of each domain"},
        &Plan::accelerators_per_domain);
  visit(PlanField{"settings.in_network_reduction", "sharp", "reduction in the network's switches",
                  "SHARP"},
        &Plan::in_network_reduction);
}

/// Calls `visit(field, member)` for each field without effect at the plan's sizes, whatever its
/// value. The fields before it count with their default if they have no effect.
template <class Visit>
void visit_idle(const Plan& request, const Visit& visit) {
  Plan plan = request;
  visit_plan([&](const PlanField& field, auto member) {
    if (field.need.is_met(plan)) return;
    visit(field, member);
    plan.*member = Plan{}.*member;
  });
}

/// Words of a plan in `tofn step`: sizes, micro-batches, and values that are not the default.
std::string plan_words(const Plan&);

}  // namespace parallelism
}  // namespace tofn
