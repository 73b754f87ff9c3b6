#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/model/part_work.hpp"
#include "sim/model/products.hpp"

namespace tofn {
inline namespace model {

/// One transformer layer on one rank. Its two halves, each a residual branch, share this shape.
struct TransformerShape {
  const TransformerLayers& layer;
  const RankShape& rank;
  const Plan& plan;
  double hidden;
  double feed_forward;
  double query_width;  ///< of all heads together, like the next three
  double key_width;
  double value_width;
  double output_width;  ///< of the heads' output
  double gate_width;    ///< of the gate on that output

  bool trains() const { return layer.lora_rank == 0 && !layer.frozen; }
  bool has_adapter(LoraTarget target) const {
    const auto& all = layer.lora_targets;
    return layer.lora_rank > 0 && std::ranges::find(all, target) != all.end();
  }
  bool has_query_key_value_biases() const {
    return layer.query_key_value_biases.value_or(layer.biases);
  }
  bool has_norm_biases() const { return layer.norm_biases.value_or(layer.biases); }
  /// Norms of one branch; a half if one norm serves both branches.
  double branch_norms() const { return layer.norms / 2.0; }
  bool recomputes(RecomputeModule module) const { return parallelism::recomputes(plan, module); }
  bool recomputes_latent() const {
    return layer.latent && recomputes(RecomputeModule::LatentUpProjection);
  }
  bool attends() const { return layer.heads > 0; }
  bool has_mlp() const { return layer.feed_forward > 0; }
  bool is_mixture() const { return layer.experts > 1; }
  /// Elements of the residual stream that this rank holds.
  double stream() const { return rank.stream_tokens * hidden; }
  /// Elements that a branch keeps of the input of its products.
  double kept_input() const { return layer.keeps_gathered ? rank.tokens * hidden : stream(); }
  /// Bytes of the whole stream, which tensor-parallel ranks exchange.
  double payload() const { return rank.element * rank.tokens * hidden; }
  /// Elements on this rank if all heads together are `width` wide.
  double of_heads(double width) const { return rank.tokens * width / rank.tensor; }
};

TransformerShape transformer_shape(const TransformerLayers&, const RankShape&, const Plan&);

// Attention with its norm, products and residual; nothing if there are no heads.
void add_attention_forward(PassWork&, const TransformerShape&);
void add_attention_backward(PassWork&, const TransformerShape&);
PassWork core_forward(const TransformerShape&);
/// Part of attention that selective recomputation by modules runs again; `mlp_again` is that of the
/// MLP.
PassWork attention_again(const TransformerShape&);
double attention_kept_bytes(const TransformerShape&);
double attention_parameters(const TransformerShape&);
std::vector<Linear> attention_products(const TransformerShape&);
std::vector<Linear> attention_adapters(const TransformerShape&);

/// The two products, down and up, of an adapter beside a product that tensor-parallel ranks split
/// by its outputs (`column_adapter`) or by its inputs (`row_adapter`). Ranks split adapters as in
/// Megatron-LM; their exchanges, a thousandth of the layer's, are left out.
std::vector<Linear> column_adapter(const Linear& product, double rank, double ranks);
std::vector<Linear> row_adapter(const Linear& product, double rank, double ranks);
double weights(std::span<const Linear>);

// Selective recomputation by lists of products (`SelectiveRecompute`): whether the layer uses it,
// the bytes kept between its passes, and the products that backward runs again.
bool saves_products(const TransformerShape&);
double saved_bytes(const TransformerShape&);
PassWork unsaved_forward(const TransformerShape&);

// Part of latent attention that makes queries, keys and values from narrow rows.
void add_latent_forward(PassWork&, const TransformerShape&);
/// Products from narrow rows to the heads, which recomputation of `mla_up_proj` runs again.
PassWork latent_up_forward(const TransformerShape&);
void add_latent_backward(PassWork&, const TransformerShape&);
double latent_kept_bytes(const TransformerShape&);
double latent_parameters(const TransformerShape&);
std::vector<Linear> latent_products(const TransformerShape&);

// The MLP, or the experts with their router; nothing if the feed-forward width is 0.
void add_mlp_forward(PassWork&, const TransformerShape&);
void add_mlp_backward(PassWork&, const TransformerShape&);
double mlp_kept_bytes(const TransformerShape&);
PassWork mlp_again(const TransformerShape&);
/// Forward pass of experts as far as backward needs it if none of it is kept: from the router to
/// the input of the last products.
PassWork experts_until_down(const TransformerShape&);
/// Products of the MLP or of the shared experts; `expert_products` are those of routed experts.
std::vector<Linear> mlp_products(const TransformerShape&);
std::vector<Linear> expert_products(const TransformerShape&);
std::vector<Linear> mlp_adapters(const TransformerShape&);
std::vector<Linear> expert_adapters(const TransformerShape&);
/// Parameters of the MLP, or of the router, the latent products and the shared experts.
double mlp_parameters(const TransformerShape&);
double expert_parameters(const TransformerShape&);

/// The norm before a branch, and the bias, dropout and sum after it.
void add_branch_forward(PassWork&, const TransformerShape&);
void add_branch_backward(PassWork&, const TransformerShape&);

}  // namespace model
}  // namespace tofn
