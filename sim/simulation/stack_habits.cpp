#include "sim/simulation/stack_habits.hpp"

#include <variant>

namespace tofn {
inline namespace simulation {

Model as_run_by(const StackHabits& habits, Model model) {
  for (ModelPart& part : model.parts) {
    if (auto* layers = std::get_if<TransformerLayers>(&part.shape)) {
      layers->fused_attention = habits.fused_attention.value_or(layers->fused_attention);
      layers->keeps_activation = habits.keeps_activation.value_or(layers->keeps_activation);
      layers->keeps_gathered = habits.keeps_gathered.value_or(layers->keeps_gathered);
    }
    if (auto* vocabulary = std::get_if<Vocabulary>(&part.shape)) {
      vocabulary->multiple = habits.vocabulary_multiple.value_or(vocabulary->multiple);
      vocabulary->loss_bytes = habits.loss_bytes.value_or(vocabulary->loss_bytes);
    }
  }
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
