#include "sim/model/attention_core.hpp"
#include "sim/model/transformer_shape.hpp"

namespace tofn {
inline namespace model {
namespace {

Linear query_key_value(const TransformerShape& s) {
  return {.rows = s.rank.tokens,
          .outputs = (s.query_width + s.key_width + s.value_width) / s.rank.tensor,
          .inputs = s.hidden};
}
Linear projection(const TransformerShape& s) {
  return {.rows = s.rank.tokens, .outputs = s.hidden, .inputs = s.output_width / s.rank.tensor};
}

/// Adapters down and up beside both products, in the order of the forward pass. Tensor-parallel
/// ranks share them out as Megatron does; what they exchange is a thousandth of the layer's.
std::vector<Linear> adapters(const TransformerShape& s) {
  const double lora_rank = s.layer.lora_rank;
  if (lora_rank == 0) return {};
  const Linear first = query_key_value(s);
  const Linear second = projection(s);
  return {
      {.rows = first.rows, .outputs = lora_rank / s.rank.tensor, .inputs = first.inputs},
      {.rows = first.rows, .outputs = first.outputs, .inputs = lora_rank},
      {.rows = second.rows, .outputs = lora_rank, .inputs = second.inputs},
      {.rows = second.rows, .outputs = second.outputs / s.rank.tensor, .inputs = lora_rank},
  };
}

AttentionCore core(const TransformerShape& s) {
  const bool is_ring = s.plan.context_exchange == ContextExchange::Ring;
  return {.heads = s.rank.samples * s.layer.heads / s.rank.tensor,
          .head_size = static_cast<double>(s.layer.head_size),
          .value_size = s.output_width / s.layer.heads,
          .queries = s.rank.sequence / s.rank.context,
          .keys = s.rank.sequence,
          .key_value_share = s.key_width / s.query_width,
          .blocks = is_ring ? s.rank.context : 1,
          .element = s.rank.element,
          .window = static_cast<double>(s.layer.window),
          .window_share = s.layer.window_share,
          .causal = s.layer.causal,
          .dropout = s.layer.dropout,
          .fused = s.layer.fused_attention};
}

/// Bytes of keys and values of this rank's tokens.
double key_value_bytes(const TransformerShape& s) {
  return s.rank.element * s.of_heads(s.key_width + s.value_width);
}

/// Keys and values from the other ranks; in backward also their gradients to them.
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

double queries_and_keys(const TransformerShape& s) {
  return s.of_heads(s.query_width + s.key_width);
}

/// From the stream to queries, keys and values.
void add_inputs_forward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  if (s.layer.latent) return add_latent_forward(pass, s);
  add_entry(pass, s, s.payload());
  add_forward(pass, query_key_value(s), element);
  if (s.layer.query_key_norms) add_moved(pass, 2 * element * queries_and_keys(s));
  if (s.layer.rotary) add_moved(pass, 2 * element * queries_and_keys(s));
}

void add_inputs_backward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  if (s.layer.latent) return add_latent_backward(pass, s);
  const double all = s.of_heads(s.query_width + s.key_width + s.value_width);
  if (s.layer.rotary) add_moved(pass, 2 * element * queries_and_keys(s));
  if (s.layer.query_key_norms)
    add_moved(pass, (s.trains() ? 5 : 3) * element * queries_and_keys(s));
  if (!s.layer.fused_attention) add_moved(pass, 2 * element * all);  // gradients side by side
  if (s.has_query_key_value_biases() && s.trains()) add_moved(pass, element * all);
  // Only a part of the norm's output was kept; gradients of weights need all of it.
  if (s.trains()) add_entry(pass, s, s.payload());
  add_backward(pass, query_key_value(s), element, {.input = true, .weight = s.trains()});
  add_exit(pass, s, s.payload());
}

}  // namespace

void add_attention_forward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  add_branch_forward(pass, s);
  add_inputs_forward(pass, s);
  add_context_exchange(pass, s, false);
  add_forward(pass, core(s));
  if (!s.layer.fused_attention) add_moved(pass, 2 * element * s.of_heads(s.output_width));
  add_forward(pass, projection(s), element);
  for (const Linear& adapter : adapters(s)) add_forward(pass, adapter, element);
  add_exit(pass, s, s.payload());
}

void add_attention_backward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  add_branch_backward(pass, s);
  add_entry(pass, s, s.payload());
  for (const Linear& adapter : adapters(s)) add_backward(pass, adapter, element, {});
  add_backward(pass, projection(s), element, {.input = true, .weight = s.trains()});
  if (!s.layer.fused_attention) add_moved(pass, 2 * element * s.of_heads(s.output_width));
  add_context_exchange(pass, s, true);
  add_backward(pass, core(s));
  add_inputs_backward(pass, s);
}

PassWork core_forward(const TransformerShape& s) {
  PassWork pass;
  add_forward(pass, core(s));
  return pass;
}

double attention_kept_bytes(const TransformerShape& s) {
  const double element = s.rank.element;
  const double input = s.rank.product_input * s.stream();
  // Of its output the core keeps what it made, the product behind it what it multiplied: one
  // where they are of one width.
  const double core_element = s.plan.fp8_attention ? s.rank.product_input : element;
  const double again = s.rank.product_input < core_element ? s.rank.product_input : 0;
  const double products = core_element * s.of_heads(s.query_width + s.key_width + s.value_width) +
                          (core_element + again) * s.of_heads(s.output_width);
  const double normed = s.layer.query_key_norms ? element * queries_and_keys(s) : 0;
  const double narrow = element * s.rank.tokens * 2 * s.layer.lora_rank + latent_kept_bytes(s);
  const bool drops_core = s.plan.recompute == Recompute::Selective;
  return input + products + normed + narrow + (drops_core ? 0 : kept_bytes(core(s)));
}

double attention_parameters(const TransformerShape& s) {
  const double outputs = s.query_width + s.key_width + s.value_width;
  const double biases = (s.has_query_key_value_biases() ? outputs / s.rank.tensor : 0) +
                        (s.layer.biases ? s.hidden : 0);
  const double norms = s.layer.query_key_norms ? 2 * s.layer.head_size : 0;
  const double inputs = s.layer.latent ? latent_parameters(s) : outputs * s.hidden / s.rank.tensor;
  return inputs + s.output_width * s.hidden / s.rank.tensor + biases + norms;
}

double adapter_parameters(const TransformerShape& s) {
  double sum = 0;
  for (const Linear& adapter : adapters(s)) sum += adapter.inputs * adapter.outputs;
  return sum;
}

}  // namespace model
}  // namespace tofn
