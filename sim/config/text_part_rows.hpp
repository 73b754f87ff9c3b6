#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/model/fine_tuning.hpp"
#include "sim/model/model.hpp"
#include "sim/yaml/field_rows.hpp"

// Rows of the parts that text models have.

namespace tofn {
inline namespace config {

inline constexpr int largest_dimension = 10'000'000;
inline constexpr Range dimension{1, largest_dimension, false,
                                 "must be from 1 to 10000000, got {:.0f}"};
inline constexpr Range count_of_parts{1, 100'000, false, "must be from 1 to 100000, got {:.0f}"};

/// Parts read from one entry, all with the same name.
struct Named {
  std::string name{};
  std::vector<ModelPart> parts{};

  template <class Shape>
  void add(const Shape& shape) {
    parts.push_back({name, shape});
  }
};

template <class Walk>
void vocabulary_rows(Walk& walk, Named& out) {
  Vocabulary shape;
  walk({"size", "entries of the vocabulary", true, dimension}, shape.size);
  walk({"hidden", "width of the stream of tokens", true, dimension}, shape.hidden);
  walk({"positions", "learnt position embeddings", false, dimension}, shape.positions);
  walk({"segments", "kinds of token with embeddings of their own", false, dimension},
       shape.segments);
  walk({"predictions", "tokens of a sample that have a loss (default: all)", false, dimension},
       shape.predictions);
  walk({"tied", "the product with the vocabulary has the embedding's weights"}, shape.tied);
  walk({"biases", "the norm has biases"}, shape.biases);
  walk({"output_biases", "the product with the vocabulary has biases"}, shape.output_biases);
  walk({"frozen", "the part does not train"}, shape.frozen);
  out.add(shape);
}

/// Rows of mixtures of experts.
template <class Walk>
void expert_rows(Walk& walk, TransformerLayers& shape) {
  const bool has_experts = walk.has("experts") || walk.has("experts_per_token");
  const auto need_experts = [=](std::string_view problem) {
    return [=](const YamlNode& node) {
      if (!has_experts) node.fail(problem);
    };
  };
  walk({"experts", "experts of a layer", has_experts, dimension}, shape.experts);
  walk({"experts_per_token", "experts that a token goes to", has_experts, dimension},
       shape.experts_per_token, [&](const YamlNode& node) {
         if (shape.experts_per_token > shape.experts)
           node.fail(fmt::format("must not exceed the {} experts", shape.experts));
       });
  walk({"shared_feed_forward", "width of the experts that every token goes to, together", false,
        dimension},
       shape.shared_feed_forward, need_experts("needs experts: without them it is feed_forward"));
  walk({"expert_groups", "equal groups of experts, of which a token uses some", false, dimension},
       shape.expert_groups, [&](const YamlNode& node) {
         need_experts("needs experts")(node);
         if (!walk.has("groups_per_token")) node.fail("needs groups_per_token");
         if (shape.experts % shape.expert_groups != 0)
           node.fail(fmt::format("must divide the {} experts", shape.experts));
       });
  walk({"groups_per_token", "groups in which a token's experts lie", false, dimension},
       shape.groups_per_token, [&](const YamlNode& node) {
         need_experts("needs experts")(node);
         if (!walk.has("expert_groups")) node.fail("needs expert_groups");
         if (shape.groups_per_token > shape.expert_groups)
           node.fail(fmt::format("must not exceed the {} groups", shape.expert_groups));
         const int allowed = shape.experts / shape.expert_groups * shape.groups_per_token;
         if (shape.experts_per_token > allowed)
           node.fail(
               fmt::format("leaves {} experts to choose {} of", allowed, shape.experts_per_token));
       });
  walk(
      {"expert_imbalance", "tokens of the busiest expert-parallel rank over the mean"},
      shape.expert_imbalance, [&](const YamlNode& node) {
        need_experts("needs experts")(node);
        if (!(shape.expert_imbalance >= 1 && shape.expert_imbalance <= shape.experts))
          node.fail(fmt::format(
              "must be from 1 to {}, the busiest of as many experts over the mean", shape.experts));
      });
  walk({"expert_latent", "width at which tokens travel to experts (default: `hidden`)", false,
        dimension},
       shape.expert_latent, need_experts("needs experts"));
}

template <class Walk>
void head_rows(Walk& walk, TransformerLayers& shape) {
  std::optional<YamlNode> heads;
  walk({"heads", "heads of attention", true, dimension}, shape.heads,
       [&](const YamlNode& node) { heads = node; });
  shape.key_value_heads = shape.heads;
  walk({"key_value_heads", "heads of keys and values (default: `heads`)", false, dimension},
       shape.key_value_heads, [&](const YamlNode& node) {
         if (shape.heads % shape.key_value_heads != 0)
           node.fail(fmt::format("must divide the {} heads", shape.heads));
       });
  if (walk({"head_size", "width of a head (default: `hidden` over `heads`)", false, dimension},
           shape.head_size))
    return;
  if (shape.hidden % shape.heads != 0)
    heads->fail(fmt::format("must divide hidden {}, or head_size be given", shape.hidden));
  shape.head_size = shape.hidden / shape.heads;
}

/// Rows of latent attention, whose queries and keys have sizes of their own; those of an index are
/// stated together.
template <class Walk>
void latent_rows(Walk& walk, TransformerLayers& shape) {
  LatentAttention& latent = shape.latent.emplace();
  walk({"query_rank", "width of the row that gives the queries (default: they come from the input)",
        false, dimension},
       latent.query_rank);
  walk({"key_value_rank", "width of the row that gives keys and values", true, dimension},
       latent.key_value_rank);
  walk({"rotary_head_size", "rotary part of a head", true, dimension}, latent.rotary_head_size,
       [&](const YamlNode& node) {
         if (latent.rotary_head_size >= shape.head_size)
           node.fail(
               fmt::format("must be below head_size {}, of which it is a part", shape.head_size));
       });
  walk({"value_head_size", "width of a head's values", true, dimension}, latent.value_head_size);
  const bool has_index =
      walk.has("index_heads") || walk.has("index_head_size") || walk.has("index_keys");
  walk({"index_heads", "heads of the index of sparse attention", has_index, dimension},
       latent.index_heads);
  walk({"index_head_size", "width of index heads", has_index, dimension}, latent.index_head_size);
  walk({"index_keys", "tokens that the index chooses for each token", has_index, dimension},
       latent.index_keys, [&](const YamlNode& node) {
         if (!shape.causal || !shape.fused_attention || shape.window > 0)
           node.fail("needs causal, fused attention without a window");
       });
}

template <class Walk>
void attention_rows_of(Walk& walk, TransformerLayers& shape) {
  head_rows(walk, shape);
  walk({"query_key_value_biases",
        "the product to queries, keys and values has biases (default: "
        "`biases`)"},
       shape.query_key_value_biases);
  walk({"query_key_norms", "each head's queries and keys have a norm"}, shape.query_key_norms);
  walk({"output_gate", "a gate of what the heads give, from the product to queries"},
       shape.output_gate);
  walk({"rotary", "positions are rotary"}, shape.rotary);
  walk({"causal", "a token attends to those before it alone"}, shape.causal);
  walk({"fused_attention", "attention is one kernel, which keeps scores on chip"},
       shape.fused_attention);
  const bool has_window =
      walk({"window", "tokens that a token attends to (default: all)", false, dimension},
           shape.window, [&](const YamlNode& node) {
             if (!shape.causal || !shape.fused_attention)
               node.fail("needs causal, fused attention, which leaves out what it masks");
           });
  walk({"window_share", "share of the layers with the window", false, range::share},
       shape.window_share, [=](const YamlNode& node) {
         if (!has_window) node.fail("needs window");
       });
  walk.map(
      {"latent_attention", "latent attention, of DeepSeek-V2"},
      [&](auto& inner) { latent_rows(inner, shape); },
      [&](const YamlNode& node) {
        if (!walk.has("head_size")) node.fail("needs head_size, that of queries and keys");
        for (const std::string_view key : {"key_value_heads", "query_key_norms", "output_gate"})
          if (walk.has(key)) node.fail(fmt::format("excludes {}", key));
        if (shape.query_key_value_biases.value_or(shape.biases))
          node.fail("has no biases: biases or query_key_value_biases must be false");
        if (!shape.rotary) node.fail("is rotary: rotary must be true");
      });
}

template <class Walk>
void feed_forward_rows(Walk& walk, TransformerLayers& shape) {
  walk({"feed_forward", "width of the feed-forward, or of one expert's", true, dimension},
       shape.feed_forward);
  walk({"gated", "the feed-forward has a gate: three products"}, shape.gated);
  expert_rows(walk, shape);
}

/// Rows that a layer has with any branches.
template <class Walk>
void layer_rows(Walk& walk, TransformerLayers& shape) {
  walk({"layers", "layers of this shape", true, count_of_parts}, shape.count);
  walk({"hidden", "width of the stream of tokens", true, dimension}, shape.hidden);
  walk({"biases", "products and norms have biases"}, shape.biases);
  walk({"dropout", "branches end in dropout"}, shape.dropout);
  walk({"norm_biases", "norms have biases (default: `biases`)"}, shape.norm_biases);
  walk({"frozen", "the part does not train"}, shape.frozen);
}

template <class Walk>
void adapter_rows(Walk& walk, TransformerLayers& shape) {
  const auto check_clash = [&](const YamlNode& node) {
    if (const std::string clash = clash_of(shape); !clash.empty()) node.fail(clash);
  };
  walk({"lora_rank", "rank of adapters, beside which the part's own weights do not train", false,
        dimension},
       shape.lora_rank, [&](const YamlNode& node) {
         if (!walk.has("lora_targets")) check_clash(node);
       });
  walk({"lora_targets", "products that have adapters (default: linear_qkv, linear_proj)"},
       shape.lora_targets, [&](const YamlNode& node) {
         if (shape.lora_rank == 0) node.fail("needs lora_rank");
         check_clash(node);
       });
}

template <class Walk>
void transformer_rows(Walk& walk, Named& out) {
  TransformerLayers shape;
  layer_rows(walk, shape);
  feed_forward_rows(walk, shape);
  attention_rows_of(walk, shape);
  walk({"norms", "norms of a layer: 2, or 4 with those of each branch's output"}, shape.norms,
       [&](const YamlNode& node) {
         if (shape.norms != 2 && shape.norms != 4)
           node.fail(fmt::format("must be 2 or 4, got {}", shape.norms));
       });
  walk({"conditioning", "outputs of products that act on one row a sample, as adaptive norms do",
        false, dimension},
       shape.conditioning);
  walk({"streams", "streams of tokens with weights of their own", false,
        Range{1, 8, false, "must be from 1 to 8, got {:.0f}"}},
       shape.streams);
  adapter_rows(walk, shape);
  out.add(shape);
}

/// Rows of a layer with one branch of a transformer layer: attention or MLP.
template <class Walk>
void attention_rows(Walk& walk, Named& out) {
  TransformerLayers shape;
  layer_rows(walk, shape);
  attention_rows_of(walk, shape);
  out.add(shape);
}
template <class Walk>
void mlp_rows(Walk& walk, Named& out) {
  TransformerLayers shape;
  layer_rows(walk, shape);
  feed_forward_rows(walk, shape);
  out.add(shape);
}

/// Rows that state-space layers and short convolutions have.
template <class Walk>
void sequence_rows(Walk& walk, StateSpaceLayers& shape, bool is_short) {
  walk({"convolution", "tokens that the convolution sees, with the current one", is_short,
        dimension},
       shape.convolution);
  if (!is_short) walk({"chunk", "tokens of a block of the scan", false, dimension}, shape.chunk);
  walk({"biases", "the two products have biases"}, shape.biases);
  walk({"frozen", "the part does not train"}, shape.frozen);
  walk({"convolution_biases", "the convolution has biases"}, shape.convolution_biases);
}

template <class Walk>
void state_space_rows(Walk& walk, Named& out) {
  StateSpaceLayers shape;
  walk({"layers", "layers of this shape", true, count_of_parts}, shape.count);
  walk({"hidden", "width of the stream of tokens", true, dimension}, shape.hidden);
  walk({"heads", "heads of the state", true, dimension}, shape.heads);
  walk({"head_size", "channels of a head", true, dimension}, shape.head_size);
  walk({"state_size", "width of the state of a channel", true, dimension}, shape.state_size);
  walk({"groups", "groups of heads that share B and C", false, dimension}, shape.groups,
       [&](const YamlNode& node) {
         if (shape.heads % shape.groups != 0)
           node.fail(fmt::format("must divide the {} heads", shape.heads));
       });
  sequence_rows(walk, shape, false);
  walk({"delta_rule", "the layer is a gated DeltaNet"}, shape.delta_rule);
  walk({"gate_rank", "width of the row that gives each channel's gate: Kimi Delta Attention", false,
        dimension},
       shape.gate_rank, [&](const YamlNode& node) {
         if (!shape.delta_rule) node.fail("needs delta_rule");
       });
  out.add(shape);
}

template <class Walk>
void short_convolution_rows(Walk& walk, Named& out) {
  StateSpaceLayers shape;
  walk({"layers", "layers of this shape", true, count_of_parts}, shape.count);
  walk({"hidden", "width of the stream of tokens", true, dimension}, shape.hidden);
  sequence_rows(walk, shape, true);
  shape.heads = shape.groups = shape.hidden;
  shape.head_size = 1;
  out.add(shape);
}

}  // namespace config
}  // namespace tofn
