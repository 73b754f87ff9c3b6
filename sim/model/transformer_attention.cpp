#include <utility>

#include "sim/model/attention_core.hpp"
#include "sim/model/transformer_shape.hpp"

namespace tofn {
inline namespace model {
namespace {

Linear query_key_value(const TransformerShape& s) {
  return {.rows = s.rank.tokens,
          .outputs = (s.query_width + s.key_width + s.value_width + s.gate_width) / s.rank.tensor,
          .inputs = s.hidden};
}
Linear projection(const TransformerShape& s) {
  return {.rows = s.rank.tokens, .outputs = s.hidden, .inputs = s.output_width / s.rank.tensor};
}

AttentionCore core(const TransformerShape& s) {
  const bool is_ring = s.plan.context_exchange == ContextExchange::Ring;
  // Attention to chosen keys costs as much as attention to a window of as many keys.
  const int chosen = s.layer.latent ? s.layer.latent->index_keys : 0;
  return {.heads = s.rank.samples * s.layer.heads / s.rank.tensor,
          .head_size = static_cast<double>(s.layer.head_size),
          .value_size = s.output_width / s.layer.heads,
          .queries = s.rank.sequence / s.rank.context,
          .keys = s.rank.sequence,
          .key_value_share = s.key_width / s.query_width,
          .blocks = is_ring ? s.rank.context : 1,
          .element = s.rank.element,
          .window = static_cast<double>(chosen > 0 ? chosen : s.layer.window),
          .window_share = s.layer.window_share,
          .text = s.rank.packed_text,
          .causal = s.layer.causal,
          .dropout = s.layer.dropout,
          .fused = s.layer.fused_attention};
}

bool has_index(const TransformerShape& s) {
  return s.layer.latent && s.layer.latent->index_heads > 0;
}

AttentionCore index_core(const TransformerShape& s) {
  AttentionCore index = core(s);
  index.heads = s.rank.samples * s.layer.latent->index_heads;
  index.head_size = s.layer.latent->index_head_size;
  index.key_value_share = 1.0 / s.layer.latent->index_heads;
  return index;
}

/// Bytes of keys and values of this rank's tokens, including the keys of an index.
double key_value_bytes(const TransformerShape& s) {
  const double of_index = has_index(s) ? s.rank.tokens * s.layer.latent->index_head_size : 0;
  return s.rank.element * (s.of_heads(s.key_width + s.value_width) + of_index);
}

/// Adds the exchange of keys and values with the other ranks; in backward also that of their
/// gradients.
void add_context_exchange(PassWork& pass, const TransformerShape& s, bool is_backward) {
  const double ranks = s.rank.context;
  if (s.plan.context_exchange == ContextExchange::Ring) {
    add_exchange(pass, Group::Context, ranks, CollectiveKind::SendReceive,
                 (is_backward ? 2 : 1) * key_value_bytes(s), ranks - 1);
    return;
  }
  const double whole = ranks * key_value_bytes(s);
  add_exchange(pass, Group::Context, ranks, CollectiveKind::AllGather, whole);
  if (is_backward) add_exchange(pass, Group::Context, ranks, CollectiveKind::ReduceScatter, whole);
}

/// Adds the merging of each further block of a ring into the result so far, which reads both and
/// writes one. Outputs are weighted and added in forward (arXiv 2310.01889), gradients summed in
/// backward. Kernels that write scores need no merging, because they run once over all keys.
void add_merging(PassWork& pass, const TransformerShape& s, double width) {
  const double further = s.rank.context - 1;
  if (s.plan.context_exchange == ContextExchange::Ring && s.layer.fused_attention && further > 0)
    add_moved(pass, 3 * further * s.rank.element * s.of_heads(width));
}

double queries_and_keys(const TransformerShape& s) {
  return s.of_heads(s.query_width + s.key_width);
}

/// Adds the products from the stream to queries, keys and values.
void add_inputs_forward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  if (s.layer.latent) return add_latent_forward(pass, s);
  add_entry(pass, s.rank, s.plan, s.payload());
  add_forward(pass, query_key_value(s), element);
  if (s.layer.query_key_norms) add_moved(pass, 2 * element * queries_and_keys(s));
  if (s.layer.rotary) add_moved(pass, 2 * element * queries_and_keys(s));
}

void add_inputs_backward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  if (s.layer.latent) return add_latent_backward(pass, s);
  const double all = s.of_heads(s.query_width + s.key_width + s.value_width + s.gate_width);
  if (s.layer.rotary) add_moved(pass, 2 * element * queries_and_keys(s));
  if (s.layer.query_key_norms)
    add_moved(pass, (s.trains() ? 5 : 3) * element * queries_and_keys(s));
  if (!s.layer.fused_attention) add_moved(pass, 2 * element * all);  // gradients side by side
  if (s.has_query_key_value_biases() && s.trains()) add_moved(pass, element * all);
  // If only a part of the norm's output was kept, gradients of weights must gather all of it.
  if (s.trains() && !s.layer.keeps_gathered) add_entry(pass, s.rank, s.plan, s.payload());
  add_backward(pass, query_key_value(s), element, {.input = true, .weight = s.trains()});
  add_exit(pass, s.rank, s.plan, s.payload());
}

}  // namespace

void add_attention_forward(PassWork& pass, const TransformerShape& s) {
  if (!s.attends()) return;
  const double element = s.rank.element;
  add_branch_forward(pass, s);
  add_inputs_forward(pass, s);
  add_context_exchange(pass, s, false);
  if (has_index(s)) add_index_forward(pass, index_core(s));
  add_forward(pass, core(s));
  add_merging(pass, s, s.output_width);
  if (!s.layer.fused_attention) add_moved(pass, 2 * element * s.of_heads(s.output_width));
  if (s.layer.output_gate) add_moved(pass, 3 * element * s.of_heads(s.gate_width));
  add_forward(pass, projection(s), element);
  for (const Linear& adapter : attention_adapters(s)) add_forward(pass, adapter, element);
  add_exit(pass, s.rank, s.plan, s.payload());
}

void add_attention_backward(PassWork& pass, const TransformerShape& s) {
  if (!s.attends()) return;
  const double element = s.rank.element;
  add_branch_backward(pass, s);
  add_entry(pass, s.rank, s.plan, s.payload());
  for (const Linear& adapter : attention_adapters(s)) add_backward(pass, adapter, element, {});
  add_backward(pass, projection(s), element, {.input = true, .weight = s.trains()});
  if (s.layer.output_gate) add_moved(pass, 5 * element * s.of_heads(s.gate_width));
  if (!s.layer.fused_attention) add_moved(pass, 2 * element * s.of_heads(s.output_width));
  add_context_exchange(pass, s, true);
  add_backward(pass, core(s));
  if (has_index(s) && s.trains()) add_index_backward(pass, index_core(s));
  add_merging(pass, s, s.query_width + s.key_width + s.value_width);
  add_inputs_backward(pass, s);
}

PassWork core_forward(const TransformerShape& s) {
  if (!s.attends()) return {};
  PassWork pass;
  add_forward(pass, core(s));
  return pass;
}

PassWork attention_again(const TransformerShape& s) {
  PassWork pass;
  if (!s.attends()) return pass;
  if (s.recomputes(RecomputeModule::LayerNorm))
    add_moved(pass, 2 * s.rank.element * s.stream(), s.branch_norms());
  if (s.recomputes_latent()) pass = joined(std::move(pass), latent_up_forward(s));
  if (s.recomputes(RecomputeModule::CoreAttention)) pass = joined(std::move(pass), core_forward(s));
  return pass;
}

double attention_kept_bytes(const TransformerShape& s) {
  if (!s.attends()) return 0;
  const double element = s.rank.element;
  const bool keeps_input = s.trains() || s.has_adapter(LoraTarget::QueryKeyValue) ||
                           s.has_adapter(LoraTarget::Query) || s.has_adapter(LoraTarget::Key) ||
                           s.has_adapter(LoraTarget::Value);
  const bool drops_input = s.recomputes(RecomputeModule::LayerNorm);
  const double input = keeps_input && !drops_input ? s.rank.product_input * s.kept_input() : 0;
  // The core keeps its output in its own precision, and the next product keeps its input in that of
  // products. One copy is enough if both have the same width.
  const double core_element = s.plan.fp8_attention ? s.rank.product_input : element;
  const double again = s.rank.product_input < core_element ? s.rank.product_input : 0;
  const double heads =
      s.recomputes_latent() ? 0 : s.of_heads(s.query_width + s.key_width + s.value_width);
  const double products =
      core_element * heads + (core_element + again) * s.of_heads(s.output_width);
  // The gate, and the gated output of the core, which the next product takes in.
  const double gated = (element + s.rank.product_input) * s.of_heads(s.gate_width);
  const double normed = s.layer.query_key_norms ? element * queries_and_keys(s) : 0;
  const double adapters = static_cast<double>(attention_adapters(s).size()) / 2;
  const double narrow =
      element * s.rank.tokens * adapters * s.layer.lora_rank + latent_kept_bytes(s);
  const bool drops_core = s.recomputes(RecomputeModule::CoreAttention);
  return input + products + gated + normed + narrow + (drops_core ? 0 : kept_bytes(core(s)));
}

double attention_parameters(const TransformerShape& s) {
  if (!s.attends()) return 0;
  const double outputs = s.query_width + s.key_width + s.value_width + s.gate_width;
  const double biases = (s.has_query_key_value_biases() ? outputs / s.rank.tensor : 0) +
                        (s.layer.biases ? s.hidden : 0);
  const double norms = s.layer.query_key_norms ? 2 * s.layer.head_size : 0;
  const double inputs = s.layer.latent ? latent_parameters(s) : outputs * s.hidden / s.rank.tensor;
  return inputs + s.output_width * s.hidden / s.rank.tensor + biases + norms;
}

std::vector<Linear> attention_products(const TransformerShape& s) {
  if (!s.attends()) return {};
  if (s.layer.latent) return joined(latent_products(s), {projection(s)});
  return {query_key_value(s), projection(s)};
}

std::vector<Linear> attention_adapters(const TransformerShape& s) {
  if (!s.attends()) return {};
  std::vector<Linear> all;
  const auto add_column = [&](LoraTarget target, double width) {
    Linear product = query_key_value(s);
    product.outputs = width / s.rank.tensor;
    if (s.has_adapter(target))
      all = joined(all, column_adapter(product, s.layer.lora_rank, s.rank.tensor));
  };
  add_column(LoraTarget::QueryKeyValue, s.query_width + s.key_width + s.value_width);
  add_column(LoraTarget::Query, s.query_width);
  add_column(LoraTarget::Key, s.key_width);
  add_column(LoraTarget::Value, s.value_width);
  if (s.has_adapter(LoraTarget::Output))
    all = joined(all, row_adapter(projection(s), s.layer.lora_rank, s.rank.tensor));
  return all;
}

}  // namespace model
}  // namespace tofn
