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
  double query_width;      ///< of all heads together
  double key_value_width;  ///< of keys alone

  bool trains() const { return layer.lora_rank == 0; }
  bool is_mixture() const { return layer.experts > 1; }
  /// Elements of the residual stream that this rank holds.
  double stream() const { return rank.stream_tokens * hidden; }
  /// Bytes of the whole stream, which tensor-parallel ranks exchange.
  double payload() const { return rank.element * rank.tokens * hidden; }
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
void add_exit(PassWork&, const TransformerShape&, double payload);
/// The norm before a branch; bias, dropout and the sum after it.
void add_branch_forward(PassWork&, const TransformerShape&);
void add_branch_backward(PassWork&, const TransformerShape&);

}  // namespace model
}  // namespace tofn
