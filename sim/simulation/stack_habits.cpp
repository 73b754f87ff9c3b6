#include "sim/simulation/stack_habits.hpp"

#include <variant>

namespace tofn {
inline namespace simulation {

Model as_run_by(const StackHabits& habits, Model model) {
  const auto take = [](const auto& habit, auto& own) { own = habit.value_or(own); };
  const auto adapt = [&](auto& part) {
    if constexpr (requires { part.fused_attention; })
      take(habits.fused_attention, part.fused_attention);
    if constexpr (requires { part.keeps_activation; })
      take(habits.keeps_activation, part.keeps_activation);
    if constexpr (requires { part.keeps_gathered; })
      take(habits.keeps_gathered, part.keeps_gathered);
    if constexpr (requires { part.multiple; }) take(habits.vocabulary_multiple, part.multiple);
    if constexpr (requires { part.loss_bytes; }) take(habits.loss_bytes, part.loss_bytes);
  };
  for (ModelPart& part : model.parts) std::visit(adapt, part.shape);
  return model;
}

Plan as_run_by(const StackHabits& habits, Plan plan,
               const std::function<bool(std::string_view)>& is_stated) {
  const auto take = [&](std::string_view name, const std::optional<bool>& habit, bool& own,
                        bool acts) {
    if (habit && acts && !is_stated(name)) own = *habit;
  };
  const bool shards = plan.sharded == Sharded::Optimizer || plan.sharded == Sharded::Gradients;
  take("data_overlap", habits.data_overlap, plan.data_overlap, true);
  take("parameter_overlap", habits.parameter_overlap, plan.parameter_overlap, shards);
  take("tensor_overlap", habits.tensor_overlap, plan.tensor_overlap,
       plan.tensor_parallel_size > 1 && plan.sequence_parallel);
  take("send_overlap", habits.send_overlap, plan.send_overlap,
       plan.pipeline_parallel_size > 1 && plan.chunks_per_stage > 1);
  take("balanced_stages", habits.balanced_stages, plan.balanced_stages,
       plan.pipeline_parallel_size > 1);
  return plan;
}

}  // namespace simulation
}  // namespace tofn
