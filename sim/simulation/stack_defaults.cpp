#include "sim/simulation/stack_defaults.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/captured_graphs.hpp"
#include "sim/parallelism/chip_dispatch.hpp"

namespace tofn {
inline namespace simulation {

Model as_run_by(const StackDefaults& framework_defaults, Model model) {
  const auto take = [](const auto& framework_default, auto& own) {
    own = framework_default.value_or(own);
  };
  const auto adapt = [&](auto& part) {
    if constexpr (requires { part.fused_attention; })
      take(framework_defaults.fused_attention, part.fused_attention);
    if constexpr (requires { part.keeps_activation; })
      take(framework_defaults.keeps_activation, part.keeps_activation);
    if constexpr (requires { part.keeps_gathered; })
      take(framework_defaults.keeps_gathered, part.keeps_gathered);
    if constexpr (requires { part.keeps_answers; })
      take(framework_defaults.keeps_answers, part.keeps_answers);
    if constexpr (requires { part.multiple; })
      take(framework_defaults.vocabulary_multiple, part.multiple);
    if constexpr (requires { part.whole_logits; })
      take(framework_defaults.whole_logits, part.whole_logits);
    if constexpr (requires { part.selective_recompute; })
      if (!part.selective_recompute)
        part.selective_recompute = framework_defaults.selective_recompute;
    if constexpr (requires { part.loss_bytes; })
      if (!part.loss_bytes) {
        part.loss_bytes = framework_defaults.loss_bytes;
        part.split_loss_bytes = framework_defaults.split_loss_bytes;
      }
  };
  for (ModelPart& part : model.parts) std::visit(adapt, part.shape);
  return model;
}

Plan as_run_by(const StackDefaults& framework_defaults, Plan plan,
               const std::function<bool(std::string_view)>& is_stated) {
  const auto take = [&](std::string_view name, const auto& framework_default, auto& own,
                        bool acts) {
    if (framework_default && acts && !is_stated(name)) own = *framework_default;
  };
  if (framework_defaults.sharded_in_pipeline && plan.pipeline_parallel_size > 1 &&
      plan.sharded == Sharded::Parameters && !is_stated("sharded"))
    plan.sharded = *framework_defaults.sharded_in_pipeline;
  const bool shards = plan.sharded == Sharded::Optimizer || plan.sharded == Sharded::Gradients;
  if (framework_defaults.cuda_graphs && !is_stated("cuda_graphs"))
    plan.cuda_graphs = *framework_defaults.cuda_graphs;
  take("data_overlap", framework_defaults.data_overlap, plan.data_overlap, true);
  take("parameter_overlap", framework_defaults.parameter_overlap, plan.parameter_overlap,
       shards && plan.data_overlap);
  take("tensor_overlap", framework_defaults.tensor_overlap, plan.tensor_overlap,
       plan.tensor_parallel_size > 1 && plan.sequence_parallel);
  take("send_overlap", framework_defaults.send_overlap, plan.send_overlap,
       plan.pipeline_parallel_size > 1 && plan.chunks_per_stage > 1);
  take("balanced_stages", framework_defaults.balanced_stages, plan.balanced_stages,
       plan.pipeline_parallel_size > 1);
  take("expert_dispatch", framework_defaults.expert_dispatch, plan.expert_dispatch,
       plan.expert_parallel_size > 1);
  take("whole_experts", framework_defaults.whole_experts, plan.whole_experts,
       plan.tensor_parallel_size > 1 && plan.expert_parallel_size > 1 && plan.sequence_parallel);
  take("kept_parameters", framework_defaults.kept_parameters, plan.kept_parameters, true);
  take("kept_gradients", framework_defaults.kept_gradients, plan.kept_gradients, true);
  take("kept_master", framework_defaults.kept_master, plan.kept_master, true);
  take("kept_moments", framework_defaults.kept_moments, plan.kept_moments, true);
  return plan;
}

Plan as_run_by(const StackDefaults& framework_defaults, Plan plan, const Accelerator& chip,
               const std::function<bool(std::string_view)>& is_stated) {
  plan = as_run_by(framework_defaults, std::move(plan), is_stated);
  if (!is_stated("expert_dispatch"))
    plan.expert_dispatch = chip_dispatch(plan.expert_dispatch, chip);
  return plan;
}

Plan computed_plan(Plan plan, const Model& model, const Accelerator& chip) {
  plan.precision = chip.computes_in(requested_precision(model, plan));
  plan.expert_dispatch = chip_dispatch(plan.expert_dispatch, chip);
  return plan;
}

CudaGraphs run_graphs(const StackDefaults& framework_defaults, CudaGraphs request,
                      const Accelerator& chip) {
  if (captured_graphs(request, chip) == request) return request;
  return framework_defaults.cuda_graphs.value_or(CudaGraphs::None);
}

std::string cannot_run(const StackDefaults& of, const Plan& plan) {
  const auto lacks = [](const auto& some, auto request) {
    return !some.empty() && std::ranges::find(some, request) == some.end();
  };
  const bool has_stages = plan.pipeline_parallel_size > 1;
  if (plan.tensor_parallel_size > 1 && !of.runs_tensor_parallel.value_or(true))
    return "has no tensor parallelism";
  if (has_stages && !of.runs_pipelines.value_or(true)) return "has no pipelines";
  if (plan.context_parallel_size > 1 && !of.runs_context_parallel.value_or(true))
    return "has no context parallelism";
  if (has_stages && lacks(of.runs_schedules, plan.schedule))
    return fmt::format("has no pipeline schedule {}", name_of(plan.schedule));
  const bool is_own = has_stages && of.sharded_in_pipeline == plan.sharded;
  if (gradient_ranks(plan).count > 1 && !is_own && lacks(of.runs_sharded, plan.sharded))
    return plan.sharded == Sharded::Nothing
               ? "shards something over replicas"
               : fmt::format("does not shard {} over replicas", name_of(plan.sharded));
  return {};
}

}  // namespace simulation
}  // namespace tofn
