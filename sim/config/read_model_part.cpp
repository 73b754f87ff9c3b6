#include <array>
#include <string>

#include <fmt/format.h>

#include "sim/config/load_model.hpp"
#include "sim/core/names.hpp"
#include "sim/model/image_blocks.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr int largest_dimension = 10'000'000;
constexpr int largest_stride = 100;  // of kernels too
constexpr int largest_count = 100'000;

void read_bounded(const YamlNode& node, int least, int most, int& out) {
  node.read(out);
  if (out < least || out > most)
    node.fail(fmt::format("must be from {} to {}, got {}", least, most, out));
}
void read_optional(Fields& fields, std::string_view key, int least, int most, int& out) {
  if (const auto node = fields.optional_child(key)) read_bounded(*node, least, most, out);
}
void read_count(Fields& fields, int& out) { read_optional(fields, "count", 1, largest_count, out); }

/// The parts that were read, all of one name.
struct Named {
  std::string name;
  std::vector<ModelPart> parts;

  template <class Shape>
  void add(const Shape& shape) {
    parts.push_back({name, shape});
  }
};

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

void read_experts(Fields& fields, TransformerLayers& shape) {
  if (!fields.has("experts") && !fields.has("experts_per_token")) {
    if (const auto node = fields.optional_child("shared_feed_forward"))
      node->fail("needs experts: without them it is feed_forward");
    return;
  }
  read_dimension(fields, "experts", shape.experts);
  const YamlNode chosen = fields.child("experts_per_token");
  read_bounded(chosen, 1, largest_dimension, shape.experts_per_token);
  if (shape.experts_per_token > shape.experts)
    chosen.fail(fmt::format("must not exceed the {} experts", shape.experts));
  read_optional(fields, "shared_feed_forward", 1, largest_dimension, shape.shared_feed_forward);
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

/// Whose queries and keys have a size of their own, and what makes them no choice.
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
  inner.done();
  if (!fields.has("head_size")) node->fail("needs head_size, that of queries and keys");
  for (const std::string_view key : {"key_value_heads", "query_key_norms"})
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
  fields.optional("norm_biases", shape.norm_biases);
  fields.optional("query_key_norms", shape.query_key_norms);
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

void read_transformer(Fields& fields, Named& out) {
  TransformerLayers shape;
  read_bounded(fields.child("layers"), 1, largest_count, shape.count);
  read_dimension(fields, "hidden", shape.hidden);
  read_dimension(fields, "feed_forward", shape.feed_forward);
  read_heads(fields, shape);
  fields.optional("gated", shape.gated).optional("biases", shape.biases);
  fields.optional("query_key_value_biases", shape.query_key_value_biases);
  read_norms(fields, shape);
  fields.optional("rotary", shape.rotary).optional("causal", shape.causal);
  fields.optional("fused_attention", shape.fused_attention).optional("dropout", shape.dropout);
  read_window(fields, shape);
  read_experts(fields, shape);
  read_latent(fields, shape);
  read_adapters(fields, shape);
  fields.optional("frozen", shape.frozen);
  out.add(shape);
}

void check_groups(const YamlNode& groups, const Convolution& shape) {
  if (shape.inputs % shape.groups != 0 || shape.outputs % shape.groups != 0)
    groups.fail(fmt::format("must divide {} inputs and {} outputs", shape.inputs, shape.outputs));
}

/// One size, or those of the images that the same weights are applied to.
std::vector<int> read_sizes(const YamlNode& node) {
  std::vector<int> sizes;
  for (const YamlNode& item : node.is_list() ? node.items() : std::vector{node})
    read_bounded(item, 1, largest_dimension / largest_stride, sizes.emplace_back());
  if (sizes.empty()) node.fail("needs at least one size");
  return sizes;
}

void read_convolution(Fields& fields, Named& out) {
  Convolution shape;
  read_count(fields, shape.count);
  read_dimension(fields, "inputs", shape.inputs);
  read_dimension(fields, "outputs", shape.outputs);
  const std::vector<int> sizes = read_sizes(fields.child("size"));
  read_optional(fields, "kernel", 1, largest_stride, shape.kernel);
  read_optional(fields, "stride", 1, largest_stride, shape.stride);
  if (const auto groups = fields.optional_child("groups")) {
    read_bounded(*groups, 1, largest_dimension, shape.groups);
    check_groups(*groups, shape);
  }
  fields.optional("biases", shape.biases).optional("norm", shape.norm);
  fields.optional("activation", shape.activation).optional("norm_first", shape.norm_first);
  fields.optional("residual", shape.residual).optional("frozen", shape.frozen);
  fields.optional("input_gradient", shape.input_gradient);
  for (const int size : sizes) {
    shape.height = shape.width = size;
    out.add(shape);
    shape.shared = true;
  }
}

void read_linear(Fields& fields, Named& out) {
  Convolution shape{.height = 1, .biases = true, .norm = false, .activation = false};
  read_count(fields, shape.count);
  shape.width = 1;
  read_optional(fields, "rows", 1, largest_dimension, shape.width);
  read_dimension(fields, "inputs", shape.inputs);
  read_dimension(fields, "outputs", shape.outputs);
  fields.optional("biases", shape.biases).optional("norm", shape.norm);
  fields.optional("activation", shape.activation).optional("frozen", shape.frozen);
  fields.optional("input_gradient", shape.input_gradient);
  out.add(shape);
}

void read_bottlenecks(Fields& fields, Named& out) {
  BottleneckStage stage;
  read_count(fields, stage.count);
  read_dimension(fields, "inputs", stage.inputs);
  read_dimension(fields, "width", stage.width);
  read_dimension(fields, "outputs", stage.outputs);
  read_bounded(fields.child("size"), 1, largest_dimension / largest_stride, stage.size);
  read_optional(fields, "stride", 1, largest_stride, stage.stride);
  if (const auto groups = fields.optional_child("groups")) {
    read_bounded(*groups, 1, largest_dimension, stage.groups);
    if (stage.width % stage.groups != 0)
      groups->fail(fmt::format("must divide width {}", stage.width));
  }
  fields.optional("norm", stage.norm).optional("frozen", stage.frozen);
  fields.optional("input_gradient", stage.input_gradient);
  out.parts = parts_of(out.name, stage);
}

void read_residual_blocks(Fields& fields, Named& out) {
  ResidualBlocks blocks;
  read_count(fields, blocks.count);
  read_dimension(fields, "inputs", blocks.inputs);
  read_dimension(fields, "outputs", blocks.outputs);
  read_bounded(fields.child("size"), 1, largest_dimension / largest_stride, blocks.size);
  read_dimension(fields, "time_channels", blocks.time_channels);
  out.parts = parts_of(out.name, blocks);
}

void read_image_transformer(Fields& fields, Named& out) {
  ImageTransformer shape;
  read_count(fields, shape.count);
  read_dimension(fields, "channels", shape.channels);
  const YamlNode heads = fields.child("heads");
  read_bounded(heads, 1, largest_dimension, shape.heads);
  if (shape.channels % shape.heads != 0)
    heads.fail(fmt::format("must divide channels {}", shape.channels));
  read_dimension(fields, "positions", shape.positions);
  read_dimension(fields, "text_positions", shape.text_positions);
  read_dimension(fields, "text_channels", shape.text_channels);
  out.add(shape);
}

/// Every kind of part. Add one here.
struct Kind {
  std::string_view name;
  void (*read)(Fields&, Named&);
};
constexpr std::array kinds{Kind{"vocabulary", read_vocabulary},
                           Kind{"transformer", read_transformer},
                           Kind{"convolution", read_convolution},
                           Kind{"linear", read_linear},
                           Kind{"bottlenecks", read_bottlenecks},
                           Kind{"residual_blocks", read_residual_blocks},
                           Kind{"image_transformer", read_image_transformer}};

const Kind& kind_named(const YamlNode& node, const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  node.fail(unknown_name("part", name, names));
}

}  // namespace

void read_dimension(const YamlNode& node, int& out) {
  read_bounded(node, 1, largest_dimension, out);
}
void read_dimension(Fields& fields, std::string_view key, int& out) {
  read_dimension(fields.child(key), out);
}

std::vector<ModelPart> read_model_part(const YamlNode& node) {
  const auto entries = node.entries();
  if (entries.size() != 1)
    node.fail(fmt::format("a part has one key, its kind; this one has {}", entries.size()));
  const auto& [key, value] = entries.front();
  const Kind& kind = kind_named(node, key);
  Named out{.name = key, .parts = {}};
  Fields fields = value.fields();
  fields.optional("name", out.name);
  kind.read(fields, out);
  fields.done();
  return out.parts;
}

}  // namespace config
}  // namespace tofn
