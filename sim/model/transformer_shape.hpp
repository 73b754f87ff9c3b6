#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sim/model/part_work.hpp"
#include "sim/model/products.hpp"

namespace tofn {
inline namespace model {

/// One transformer layer on one rank: the two halves, each a residual branch, share it.
struct TransformerShape {
  const TransformerLayers& layer;
  const RankShape& rank;
  const Plan& plan;
  double hidden;
  double feed_forward;
  double query_width;  ///< of all heads together, as are the next three
  double key_width;
  double value_width;
  double output_width;  ///< of what the heads make of the values
  double gate_width;    ///< of what gates that

  bool trains() const { return layer.lora_rank == 0 && !layer.frozen; }
  bool has_adapter(LoraTarget target) const {
    const auto& all = layer.lora_targets;
    return layer.lora_rank > 0 && std::find(all.begin(), all.end(), target) != all.end();
  }
  bool has_query_key_value_biases() const {
    return layer.query_key_value_biases.value_or(layer.biases);
  }
  bool has_norm_biases() const { return layer.norm_biases.value_or(layer.biases); }
  /// Half a norm where one norm serves both branches.
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
  /// Elements kept of what a branch's products take in.
  double kept_input() const { return layer.keeps_gathered ? rank.tokens * hidden : stream(); }
  /// Bytes of the whole stream, which tensor-parallel ranks exchange.
  double payload() const { return rank.element * rank.tokens * hidden; }
  /// Elements of this rank's heads where all heads together are so wide.
  double of_heads(double width) const { return rank.tokens * width / rank.tensor; }
};

TransformerShape transformer_shape(const TransformerLayers&, const RankShape&, const Plan&);

// Attention with its norm, its products and its residual; nothing where there are no heads.
void add_attention_forward(PassWork&, const TransformerShape&);
void add_attention_backward(PassWork&, const TransformerShape&);
PassWork core_forward(const TransformerShape&);
/// What of it selective recomputation runs again by modules; of `add_mlp` likewise, below.
PassWork attention_again(const TransformerShape&);
double attention_kept_bytes(const TransformerShape&);
double attention_parameters(const TransformerShape&);
std::vector<Linear> attention_products(const TransformerShape&);
std::vector<Linear> attention_adapters(const TransformerShape&);

/// An adapter down and up beside a product that tensor-parallel ranks split by its outputs, all
/// together so wide; beside one that they split by its inputs. Ranks share them out as Megatron
/// does; what they exchange is a thousandth of the layer's.
std::vector<Linear> column_adapter(const Linear& product, double rank, double ranks);
std::vector<Linear> row_adapter(const Linear& product, double rank, double ranks);
double weights(std::span<const Linear>);

// Selective recomputation by lists of products (`SelectiveRecompute`): whether the layer has it,
// what stays between its passes, and what backward runs again.
bool saves_products(const TransformerShape&);
double saved_bytes(const TransformerShape&);
PassWork unsaved_forward(const TransformerShape&);

// What of attention makes queries, keys and values of narrow rows.
void add_latent_forward(PassWork&, const TransformerShape&);
/// From narrow rows to the heads: what recomputation of `mla_up_proj` runs again.
PassWork latent_up_forward(const TransformerShape&);
void add_latent_backward(PassWork&, const TransformerShape&);
double latent_kept_bytes(const TransformerShape&);
double latent_parameters(const TransformerShape&);
std::vector<Linear> latent_products(const TransformerShape&);

// The MLP, or the experts with their router, likewise where it has a width.
void add_mlp_forward(PassWork&, const TransformerShape&);
void add_mlp_backward(PassWork&, const TransformerShape&);
double mlp_kept_bytes(const TransformerShape&);
PassWork mlp_again(const TransformerShape&);
/// The forward pass of experts as far as backward needs it where none of it is kept: from the
/// router to what the last products take in.
PassWork experts_until_down(const TransformerShape&);
/// Of the MLP or of the experts that every token goes through; then of those that few do.
std::vector<Linear> mlp_products(const TransformerShape&);
std::vector<Linear> expert_products(const TransformerShape&);
std::vector<Linear> mlp_adapters(const TransformerShape&);
std::vector<Linear> expert_adapters(const TransformerShape&);
/// Of the MLP, or of the router.
double mlp_parameters(const TransformerShape&);
double expert_parameters(const TransformerShape&);

/// The norm before a branch; bias, dropout and the sum after it.
void add_branch_forward(PassWork&, const TransformerShape&);
void add_branch_backward(PassWork&, const TransformerShape&);

}  // namespace model
}  // namespace tofn
