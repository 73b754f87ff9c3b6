#include "sim/model/plan_fit.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace model {
namespace {

void require(bool holds, const Model& model, std::string_view rule) {
  if (!holds) throw InputError(fmt::format("model {}: {}", model.name, rule));
}

void require_divides(std::string_view size_name, double size, std::string_view name, double whole,
                     const Model& model) {
  if (std::fmod(whole, size) == 0) return;  // a search asks more often than it fails
  require(
      false, model,
      fmt::format("{} must divide the {}: {} does not divide {}", size_name, name, size, whole));
}

void check_tensor(const TransformerLayers& layer, const Model& model, const Plan& plan) {
  const int ranks = plan.tensor_parallel_size;
  require_divides("tp", ranks, "heads", layer.heads, model);
  require_divides("tp", ranks, "key and value heads", layer.key_value_heads, model);
  require_divides("tp", ranks, "feed-forward width", layer.feed_forward, model);
  if (layer.shared_feed_forward > 0)
    require_divides("tp", ranks, "width of shared experts", layer.shared_feed_forward, model);
  if (layer.lora_rank > 0) require_divides("tp", ranks, "LoRA rank", layer.lora_rank, model);
  if (plan.sequence_parallel)
    require_divides("sequence parallelism: tp", ranks, "tokens of a context-parallel rank",
                    model.sequence_length / plan.context_parallel_size, model);
}

/// Layers without experts, which stand beside those that have them, do not mind.
void check_experts(const TransformerLayers& layer, const Model& model, const Plan& plan) {
  require(!plan.whole_experts || layer.experts > 1, model,
          "whole experts need a mixture of experts");
  require(!plan.whole_experts || plan.tensor_parallel_size == 1 || plan.sequence_parallel, model,
          "whole experts beside tp > 1 need sequence parallelism, lest every rank compute every "
          "token");
  const int ranks = plan.expert_parallel_size;
  if (ranks == 1 || layer.experts == 1) return;
  require_divides("ep", ranks, "experts", layer.experts, model);
  require(plan.tensor_parallel_size == 1 || plan.sequence_parallel, model,
          "ep > 1 beside tp > 1 needs sequence parallelism, lest every rank send every token");
}

void check_context(const TransformerLayers& layer, const Model& model, const Plan& plan) {
  const int ranks = plan.context_parallel_size;
  require_divides("cp", ranks, "sequence length", model.sequence_length, model);
  require(model.packed_length == 0 || layer.fused_attention, model,
          "packed texts need fused attention, which leaves out what is another's");
  require(ranks == 1 || layer.fused_attention, model,
          "cp > 1 needs fused attention, which takes keys block by block");
}

void check_transformer(const TransformerLayers& layer, const Model& model, const Plan& plan) {
  check_tensor(layer, model, plan);
  check_experts(layer, model, plan);
  check_context(layer, model, plan);
}

void check_image_model(const Model& model, const Plan& plan) {
  const auto require_one = [&](std::string_view name, int size) {
    require(size == 1, model,
            fmt::format("{} must be 1: convolutions and image transformers are whole on each rank",
                        name));
  };
  require_one("tp", plan.tensor_parallel_size);
  require_one("cp", plan.context_parallel_size);
  require_one("ep", plan.expert_parallel_size);
  require(plan.pipeline_parallel_size == 1, model,
          "pp must be 1: skip connections of image models would cross stages");
}

}  // namespace

void check_plan_fits(const Model& model, const Plan& plan) {
  bool has_transformer = false;
  bool has_experts = false;
  bool has_attention = false;
  for (const ModelPart& part : model.parts) {
    if (const auto* layers = std::get_if<TransformerLayers>(&part.shape)) {
      check_transformer(*layers, model, plan);
      has_transformer = true;
      has_experts = has_experts || layers->experts > 1;
    }
    has_attention = has_attention || std::holds_alternative<ImageTransformer>(part.shape);
  }
  if (!has_transformer) check_image_model(model, plan);
  require(!has_transformer || has_experts || plan.expert_parallel_size == 1, model,
          "ep > 1 needs a mixture of experts");
  require(has_transformer || has_attention || plan.recompute != Recompute::Selective, model,
          "selective recomputation is of attention, which the model lacks");
}

}  // namespace model
}  // namespace tofn
