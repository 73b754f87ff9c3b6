#pragma once

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

  bool trains() const { return layer.lora_rank == 0; }
  bool has_query_key_value_biases() const {
    return layer.query_key_value_biases.value_or(layer.biases);
  }
  bool has_norm_biases() const { return layer.norm_biases.value_or(layer.biases); }
  bool is_mixture() const { return layer.experts > 1; }
  /// Elements of the residual stream that this rank holds.
  double stream() const { return rank.stream_tokens * hidden; }
  /// Bytes of the whole stream, which tensor-parallel ranks exchange.
  double payload() const { return rank.element * rank.tokens * hidden; }
  /// Elements of this rank's heads where all heads together are so wide.
  double of_heads(double width) const { return rank.tokens * width / rank.tensor; }
};

TransformerShape transformer_shape(const TransformerLayers&, const RankShape&, const Plan&);

// Attention with its norm, its products and its residual.
void add_attention_forward(PassWork&, const TransformerShape&);
void add_attention_backward(PassWork&, const TransformerShape&);
/// What selective recomputation runs again: the attention core.
PassWork core_forward(const TransformerShape&);
double attention_kept_bytes(const TransformerShape&);
double attention_parameters(const TransformerShape&);
double adapter_parameters(const TransformerShape&);

// What of attention makes queries, keys and values of narrow rows.
void add_latent_forward(PassWork&, const TransformerShape&);
void add_latent_backward(PassWork&, const TransformerShape&);
double latent_kept_bytes(const TransformerShape&);
double latent_parameters(const TransformerShape&);

// The MLP, or the experts with their router, likewise.
void add_mlp_forward(PassWork&, const TransformerShape&);
void add_mlp_backward(PassWork&, const TransformerShape&);
double mlp_kept_bytes(const TransformerShape&);
/// Of the MLP, or of the router.
double mlp_parameters(const TransformerShape&);
double expert_parameters(const TransformerShape&);

// The ends of a residual branch: from the stream to products that are split over tensor-parallel
// ranks and back. Without sequence parallelism every rank holds the stream already.
void add_entry(PassWork&, const TransformerShape&, double payload);
/// The entry of what is normed before it is multiplied: not cast yet.
void add_gather(PassWork&, const TransformerShape&, double payload);
void add_exit(PassWork&, const TransformerShape&, double payload);
/// The norm before a branch; bias, dropout and the sum after it.
void add_branch_forward(PassWork&, const TransformerShape&);
void add_branch_backward(PassWork&, const TransformerShape&);

}  // namespace model
}  // namespace tofn
