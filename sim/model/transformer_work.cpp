#include <utility>

#include "sim/model/plan_fit.hpp"
#include "sim/model/transformer_shape.hpp"

// Operators and bytes follow the description of Megatron-LM's layer in arXiv 2205.05198. An
// element-wise kernel reads its inputs and writes its outputs once; dropout masks take one byte.

namespace tofn {
inline namespace model {

TransformerShape transformer_shape(const TransformerLayers& layer, const RankShape& rank,
                                   const Plan& plan) {
  const double value_size = layer.latent ? layer.latent->value_head_size : layer.head_size;
  return {.layer = layer,
          .rank = rank,
          .plan = plan,
          .hidden = static_cast<double>(layer.hidden),
          .feed_forward = static_cast<double>(layer.feed_forward),
          .query_width = 1.0 * layer.heads * layer.head_size,
          .key_width = 1.0 * layer.key_value_heads * layer.head_size,
          .value_width = layer.key_value_heads * value_size,
          .output_width = layer.heads * value_size,
          .gate_width = layer.output_gate ? layer.heads * value_size : 0};
}

namespace {

double all_norms(const TransformerShape& shape) {
  return shape.branch_norms() * shape.layer.branches();
}

}  // namespace

void add_branch_forward(PassWork& pass, const TransformerShape& shape) {
  const double element = shape.rank.element;
  add_moved(pass, 2 * element * shape.stream(), shape.branch_norms());
  add_moved(pass, (3 * element + (shape.layer.dropout ? 1 : 0)) * shape.stream());
}

void add_branch_backward(PassWork& pass, const TransformerShape& shape) {
  const double element = shape.rank.element;
  if (shape.layer.dropout) add_moved(pass, (2 * element + 1) * shape.stream());
  if (shape.layer.biases && shape.trains()) add_moved(pass, element * shape.stream());
  add_moved(pass, 3 * element * shape.stream(), shape.branch_norms());
  if (shape.trains())
    add_moved(pass, 2 * element * shape.stream(), shape.branch_norms());  // gradients of weights
  add_moved(pass, 3 * element * shape.stream());                          // sum of the two branches
}

namespace {

/// Bytes of a layer kept between its passes. Products keep their inputs if their weights train.
Bytes kept(const TransformerShape& shape) {
  if (saves_products(shape)) return Bytes{saved_bytes(shape)};
  const double norms = all_norms(shape) * shape.rank.element * shape.stream();
  const double masks = shape.layer.dropout ? shape.layer.branches() * shape.stream() : 0;
  return Bytes{norms + masks + attention_kept_bytes(shape) + mlp_kept_bytes(shape)};
}

void set_recompute(LayerWork& work, const TransformerShape& shape) {
  if (shape.plan.recompute == Recompute::Full) return recompute_all(work, work.boundary);
  work.recompute = saves_products(shape) ? unsaved_forward(shape)
                                         : joined(attention_again(shape), mlp_again(shape));
}

/// Product that joins the stream and an embedding. Tensor-parallel ranks each hold it whole and
/// apply it to their part of the stream.
Linear joining(const TransformerShape& shape) {
  return {.rows = shape.rank.stream_tokens, .outputs = shape.hidden, .inputs = 2 * shape.hidden};
}

bool has_one_row_products(const TransformerShape& shape) {
  return shape.layer.conditioning > 0 || shape.layer.streams > 1;
}

/// Products of one row a sample, as one: those of the conditioning, and the weights of further
/// streams, whose rows are counted with those of the first.
Linear one_row_products(const TransformerShape& shape) {
  const double of_a_stream = (attention_parameters(shape) + mlp_parameters(shape)) / shape.hidden;
  return {.rows = shape.rank.samples,
          .outputs = shape.layer.conditioning + (shape.layer.streams - 1) * of_a_stream,
          .inputs = shape.hidden};
}

/// Sets the share of parameters that trains, and the FLOPs of orthogonalising those matrices.
void set_trained(LayerWork& work, const TransformerShape& shape, double adapters,
                 double expert_adapters_) {
  std::vector<Linear> products = joined(attention_products(shape), mlp_products(shape));
  if (shape.layer.predicts_further) products.push_back(joining(shape));
  if (has_one_row_products(shape)) products.push_back(one_row_products(shape));
  work.orthogonalised = newton_schulz_step(products);
  work.expert_orthogonalised = newton_schulz_step(expert_products(shape));
  if (shape.trains()) return;
  work.trainable = adapters / work.parameters;
  work.expert_trainable =
      work.expert_parameters > 0 ? expert_adapters_ / work.expert_parameters : 1;
  work.orthogonalised = newton_schulz_step(joined(attention_adapters(shape), mlp_adapters(shape)));
  work.expert_orthogonalised = newton_schulz_step(expert_adapters(shape));
}

}  // namespace

/// Adds the look-up of the embedding, the norms of both inputs and the product that joins them.
void add_joining(LayerWork& work, const TransformerShape& shape) {
  if (!shape.layer.predicts_further) return;
  const double stream = shape.rank.element * shape.stream();
  PassWork before;
  add_moved(before, 2 * stream);
  add_moved(before, 2 * stream, 2);
  add_moved(before, 4 * stream);
  add_forward(before, joining(shape), shape.rank.element);
  work.forward = joined(std::move(before), work.forward);
  add_backward(work.backward, joining(shape), shape.rank.element,
               {.input = true, .weight = shape.trains()});
  add_moved(work.backward, 4 * stream);
  add_moved(work.backward, (shape.trains() ? 5 : 3) * stream, 2);
  work.parameters +=
      2 * shape.hidden * shape.hidden + 2 * (shape.has_norm_biases() ? 2 : 1) * shape.hidden;
  work.activations += Bytes{2 * stream + shape.rank.product_input * 2 * shape.stream()};
}

namespace {

void add_one_row_products(LayerWork& work, const TransformerShape& shape) {
  if (!has_one_row_products(shape)) return;
  const Linear product = one_row_products(shape);
  PassWork before;
  add_forward(before, product, shape.rank.element);
  work.forward = joined(std::move(before), work.forward);
  add_backward(work.backward, product, shape.rank.element,
               {.input = true, .weight = shape.trains()});
  work.parameters += product.inputs * product.outputs;
  if (shape.layer.biases) work.parameters += shape.layer.conditioning;
  work.activations += Bytes{shape.rank.product_input * product.rows * product.inputs};
}

}  // namespace

LayerWork part_work(const TransformerLayers& layer, const RankShape& rank, const Plan& plan) {
  const TransformerShape shape = transformer_shape(layer, rank, plan);
  LayerWork work{.name = "transformer layer", .count = layer.count};
  work.launches_of_kernel = LayerWork::launches_with_kernel;
  add_attention_forward(work.forward, shape);
  add_mlp_forward(work.forward, shape);
  add_mlp_backward(work.backward, shape);
  add_attention_backward(work.backward, shape);

  const double norms = all_norms(shape) * (shape.has_norm_biases() ? 2 : 1) * shape.hidden;
  const double adapters = weights(attention_adapters(shape)) + weights(mlp_adapters(shape));
  const double of_experts = weights(expert_adapters(shape));
  work.parameters = attention_parameters(shape) + mlp_parameters(shape) + norms + adapters;
  work.expert_parameters = expert_parameters(shape) + of_experts;
  work.boundary = Bytes{rank.element * shape.stream()};
  work.activations = kept(shape);
  add_joining(work, shape);
  add_one_row_products(work, shape);
  set_trained(work, shape, adapters, of_experts);
  set_recompute(work, shape);
  return work;
}

namespace {

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

/// InputError if the plan does not fit the experts. Layers without experts fit any plan.
void check_experts(const TransformerLayers& layer, const Model& model, const Plan& plan) {
  if (layer.experts == 1) return;
  require(!plan.whole_experts || plan.tensor_parallel_size == 1 || plan.sequence_parallel, model,
          "whole experts beside tp > 1 need sequence parallelism, lest every rank compute every "
          "token");
  const int ranks = plan.expert_parallel_size;
  if (ranks == 1) return;
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

}  // namespace

void check_fit(const TransformerLayers& layer, const Model& model, const Plan& plan) {
  check_tensor(layer, model, plan);
  check_experts(layer, model, plan);
  check_context(layer, model, plan);
}

PartTraits part_traits(const TransformerLayers& layer) {
  return {.hidden = layer.hidden,
          .layers = layer.count,
          .heads = layer.heads,
          .experts = layer.experts,
          .experts_per_token = layer.experts_per_token,
          .attends = layer.heads > 0,
          .dimensions = {layer.count, layer.hidden, layer.feed_forward, layer.heads,
                         layer.key_value_heads, layer.experts}};
}

}  // namespace model
}  // namespace tofn
