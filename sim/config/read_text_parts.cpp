#include "sim/config/read_text_parts.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/config/load_model.hpp"

namespace tofn {
inline namespace config {

void read_vocabulary(Fields& fields, Named& out) {
  Vocabulary shape;
  read_dimension(fields, "size", shape.size);
  read_dimension(fields, "hidden", shape.hidden);
  read_optional(fields, "positions", 1, largest_dimension, shape.positions);
  read_optional(fields, "segments", 1, largest_dimension, shape.segments);
  read_optional(fields, "predictions", 1, largest_dimension, shape.predictions);
  fields.optional("tied", shape.tied).optional("biases", shape.biases);
  fields.optional("output_biases", shape.output_biases).optional("frozen", shape.frozen);
  out.add(shape);
}

namespace {

/// Reads node-limited routing: a token's experts lie in some of the groups.
void read_expert_groups(Fields& fields, TransformerLayers& shape) {
  const auto groups = fields.optional_child("expert_groups");
  const auto chosen = fields.optional_child("groups_per_token");
  if (groups.has_value() != chosen.has_value())
    (groups ? *groups : *chosen).fail(groups ? "needs groups_per_token" : "needs expert_groups");
  if (!groups) return;
  read_bounded(*groups, 1, largest_dimension, shape.expert_groups);
  if (shape.experts % shape.expert_groups != 0)
    groups->fail(fmt::format("must divide the {} experts", shape.experts));
  read_bounded(*chosen, 1, largest_dimension, shape.groups_per_token);
  if (shape.groups_per_token > shape.expert_groups)
    chosen->fail(fmt::format("must not exceed the {} groups", shape.expert_groups));
  const int allowed = shape.experts / shape.expert_groups * shape.groups_per_token;
  if (shape.experts_per_token > allowed)
    chosen->fail(
        fmt::format("leaves {} experts to choose {} of", allowed, shape.experts_per_token));
}

void read_experts(Fields& fields, TransformerLayers& shape) {
  if (!fields.has("experts") && !fields.has("experts_per_token")) {
    if (const auto node = fields.optional_child("shared_feed_forward"))
      node->fail("needs experts: without them it is feed_forward");
    for (const std::string_view key :
         {"expert_groups", "groups_per_token", "expert_imbalance", "expert_latent"})
      if (const auto node = fields.optional_child(key)) node->fail("needs experts");
    return;
  }
  read_dimension(fields, "experts", shape.experts);
  const YamlNode chosen = fields.child("experts_per_token");
  read_bounded(chosen, 1, largest_dimension, shape.experts_per_token);
  if (shape.experts_per_token > shape.experts)
    chosen.fail(fmt::format("must not exceed the {} experts", shape.experts));
  read_optional(fields, "shared_feed_forward", 1, largest_dimension, shape.shared_feed_forward);
  read_optional(fields, "expert_latent", 1, largest_dimension, shape.expert_latent);
  read_expert_groups(fields, shape);
  const auto imbalance = fields.optional_child("expert_imbalance");
  if (!imbalance) return;
  imbalance->read(shape.expert_imbalance);
  if (!(shape.expert_imbalance >= 1 && shape.expert_imbalance <= shape.experts))
    imbalance->fail(fmt::format(
        "must be from 1 to {}, the busiest of as many experts over the mean", shape.experts));
}

void read_heads(Fields& fields, TransformerLayers& shape) {
  read_dimension(fields, "heads", shape.heads);
  shape.key_value_heads = shape.heads;
  if (const auto node = fields.optional_child("key_value_heads")) {
    read_bounded(*node, 1, largest_dimension, shape.key_value_heads);
    if (shape.heads % shape.key_value_heads != 0)
      node->fail(fmt::format("must divide the {} heads", shape.heads));
  }
  if (const auto node = fields.optional_child("head_size"))
    read_bounded(*node, 1, largest_dimension, shape.head_size);
  else if (shape.hidden % shape.heads == 0)
    shape.head_size = shape.hidden / shape.heads;
  else
    fields.child("heads").fail(
        fmt::format("must divide hidden {}, or head_size be given", shape.hidden));
}

/// Reads the keys of sparse attention; either all or none.
void read_index(Fields& latent, TransformerLayers& shape) {
  const std::array<std::pair<std::string_view, int*>, 3> keys{
      {{"index_heads", &shape.latent->index_heads},
       {"index_head_size", &shape.latent->index_head_size},
       {"index_keys", &shape.latent->index_keys}}};
  if (std::none_of(keys.begin(), keys.end(),
                   [&](const auto& each) { return latent.has(each.first); }))
    return;
  for (const auto& [key, out] : keys) read_dimension(latent, key, *out);
  if (!shape.causal || !shape.fused_attention || shape.window > 0)
    latent.child("index_keys").fail("needs causal, fused attention without a window");
}

/// Reads latent attention, whose queries and keys have sizes of their own, and refuses keys that it
/// makes meaningless.
void read_latent(Fields& fields, TransformerLayers& shape) {
  const auto node = fields.optional_child("latent_attention");
  if (!node) return;
  LatentAttention& latent = shape.latent.emplace();
  Fields inner = node->fields();
  read_optional(inner, "query_rank", 1, largest_dimension, latent.query_rank);
  read_dimension(inner, "key_value_rank", latent.key_value_rank);
  const YamlNode rotary = inner.child("rotary_head_size");
  read_bounded(rotary, 1, largest_dimension, latent.rotary_head_size);
  if (latent.rotary_head_size >= shape.head_size)
    rotary.fail(fmt::format("must be below head_size {}, of which it is a part", shape.head_size));
  read_dimension(inner, "value_head_size", latent.value_head_size);
  read_index(inner, shape);
  inner.done();
  if (!fields.has("head_size")) node->fail("needs head_size, that of queries and keys");
  for (const std::string_view key : {"key_value_heads", "query_key_norms", "output_gate"})
    if (fields.has(key)) node->fail(fmt::format("excludes {}", key));
  if (shape.query_key_value_biases.value_or(shape.biases))
    node->fail("has no biases: biases or query_key_value_biases must be false");
  if (!shape.rotary) node->fail("is rotary: rotary must be true");
}

void read_window(Fields& fields, TransformerLayers& shape) {
  const auto window = fields.optional_child("window");
  const auto share = fields.optional_child("window_share");
  if (share && !window) share->fail("needs window");
  if (!window) return;
  read_bounded(*window, 1, largest_dimension, shape.window);
  if (!shape.causal || !shape.fused_attention)
    window->fail("needs causal, fused attention, which leaves out what it masks");
  if (!share) return;
  share->read(shape.window_share);
  if (!(shape.window_share > 0 && shape.window_share <= 1))
    share->fail("must be above 0 and at most 1");
}

void read_norms(Fields& fields, TransformerLayers& shape) {
  if (const auto norms = fields.optional_child("norms")) {
    norms->read(shape.norms);
    if (shape.norms != 2 && shape.norms != 4)
      norms->fail(fmt::format("must be 2 or 4, got {}", shape.norms));
  }
}

void read_adapters(Fields& fields, TransformerLayers& shape) {
  read_optional(fields, "lora_rank", 1, largest_dimension, shape.lora_rank);
  const auto targets = fields.optional_child("lora_targets");
  if (targets && shape.lora_rank == 0) targets->fail("needs lora_rank");
  if (targets) {
    shape.lora_targets.clear();
    for (const YamlNode& item : targets->items())
      item.read_choice(shape.lora_targets.emplace_back(), ChoiceTable<LoraTarget>(lora_targets));
  }
  if (shape.lora_rank == 0) return;
  if (const std::string clash = clash_of(shape); !clash.empty())
    fields.child(targets ? "lora_targets" : "lora_rank").fail(clash);
}

void read_layers(Fields& fields, TransformerLayers& shape) {
  read_bounded(fields.child("layers"), 1, largest_count, shape.count);
  read_dimension(fields, "hidden", shape.hidden);
}

void read_attending(Fields& fields, TransformerLayers& shape) {
  read_heads(fields, shape);
  fields.optional("query_key_value_biases", shape.query_key_value_biases);
  fields.optional("query_key_norms", shape.query_key_norms);
  fields.optional("output_gate", shape.output_gate);
  fields.optional("rotary", shape.rotary).optional("causal", shape.causal);
  fields.optional("fused_attention", shape.fused_attention);
  read_window(fields, shape);
  read_latent(fields, shape);
}

void read_feed_forward(Fields& fields, TransformerLayers& shape) {
  read_dimension(fields, "feed_forward", shape.feed_forward);
  fields.optional("gated", shape.gated);
  read_experts(fields, shape);
}

/// Reads the keys that a layer has with any branches.
void read_of_both(Fields& fields, TransformerLayers& shape) {
  fields.optional("biases", shape.biases).optional("dropout", shape.dropout);
  fields.optional("norm_biases", shape.norm_biases).optional("frozen", shape.frozen);
}

}  // namespace

void read_transformer(Fields& fields, Named& out) {
  TransformerLayers shape;
  read_layers(fields, shape);
  read_of_both(fields, shape);
  read_feed_forward(fields, shape);
  read_attending(fields, shape);
  read_norms(fields, shape);
  read_adapters(fields, shape);
  out.add(shape);
}

void read_attention(Fields& fields, Named& out) {
  TransformerLayers shape;
  read_layers(fields, shape);
  read_of_both(fields, shape);
  read_attending(fields, shape);
  out.add(shape);
}

void read_mlp(Fields& fields, Named& out) {
  TransformerLayers shape;
  read_layers(fields, shape);
  read_of_both(fields, shape);
  read_feed_forward(fields, shape);
  out.add(shape);
}

void read_state_space(Fields& fields, Named& out) {
  StateSpaceLayers shape;
  read_bounded(fields.child("layers"), 1, largest_count, shape.count);
  read_dimension(fields, "hidden", shape.hidden);
  read_dimension(fields, "heads", shape.heads);
  read_dimension(fields, "head_size", shape.head_size);
  read_dimension(fields, "state_size", shape.state_size);
  if (const auto groups = fields.optional_child("groups")) {
    read_bounded(*groups, 1, largest_dimension, shape.groups);
    if (shape.heads % shape.groups != 0)
      groups->fail(fmt::format("must divide the {} heads", shape.heads));
  }
  read_optional(fields, "convolution", 1, largest_dimension, shape.convolution);
  read_optional(fields, "chunk", 1, largest_dimension, shape.chunk);
  fields.optional("biases", shape.biases).optional("frozen", shape.frozen);
  fields.optional("convolution_biases", shape.convolution_biases);
  fields.optional("delta_rule", shape.delta_rule);
  read_optional(fields, "gate_rank", 1, largest_dimension, shape.gate_rank);
  if (shape.gate_rank > 0 && !shape.delta_rule) fields.child("gate_rank").fail("needs delta_rule");
  out.add(shape);
}

void read_short_convolution(Fields& fields, Named& out) {
  StateSpaceLayers shape;
  read_bounded(fields.child("layers"), 1, largest_count, shape.count);
  read_dimension(fields, "hidden", shape.hidden);
  read_dimension(fields, "convolution", shape.convolution);
  fields.optional("biases", shape.biases).optional("frozen", shape.frozen);
  fields.optional("convolution_biases", shape.convolution_biases);
  shape.heads = shape.groups = shape.hidden;
  shape.head_size = 1;
  out.add(shape);
}

}  // namespace config
}  // namespace tofn
