#pragma once

#include <optional>

#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace model {

/// Sizes of one micro-batch on a rank of a plan.
struct RankShape {
  double element = 2;        ///< bytes of an activation or weight
  double product_input = 2;  ///< bytes that products keep per element of their inputs
  double tensor = 1;         ///< ranks that share a layer's products
  double context = 1;        ///< ranks that share a sequence
  double samples = 1;        ///< of the micro-batch
  double sequence = 0;       ///< tokens of a whole sample
  double packed_text = 0;    ///< tokens of each packed text; 0: a sample is one text
  double tokens = 0;         ///< of the micro-batch, on this rank
  double stream_tokens = 0;  ///< tokens whose norms and residuals this rank computes
};
RankShape rank_shape(const Model&, const Plan&);

// Traits of each kind of part, and the work of one rank after `check_fit` has passed.

PartTraits part_traits(const TransformerLayers&);
PartTraits part_traits(const StateSpaceLayers&);
PartTraits part_traits(const Vocabulary&);
PartTraits part_traits(const Convolution&);
PartTraits part_traits(const ImageTransformer&);

LayerWork part_work(const TransformerLayers&, const RankShape&, const Plan&);
LayerWork part_work(const StateSpaceLayers&, const RankShape&, const Plan&);
/// Work of the first stage: the table look-up and the embedding's other operations.
LayerWork part_work(const Vocabulary&, const RankShape&, const Plan&);
LayerWork part_work(const Convolution&, const RankShape&, const Plan&);
LayerWork part_work(const ImageTransformer&, const RankShape&, const Plan&);

/// Work of a part in the last stage, after the forward pass of all parts; most parts have none.
template <class Part>
std::optional<LayerWork> closing_work(const Part&, const RankShape&, const Plan&) {
  return {};
}
/// The norm, the product and the loss.
std::optional<LayerWork> closing_work(const Vocabulary&, const RankShape&, const Plan&);

/// InputError if the plan does not divide the part. A part that is whole on each rank fits any
/// plan.
template <class Part>
void check_fit(const Part&, const Model&, const Plan&) {}
void check_fit(const TransformerLayers&, const Model&, const Plan&);
void check_fit(const StateSpaceLayers&, const Model&, const Plan&);

// Ends of a residual branch: from the stream to products that tensor-parallel ranks split, and
// back. Without sequence parallelism every rank holds the stream already.

/// Gathers values before they are cast. `payload` is in bytes of all tokens.
void add_gather(PassWork&, const RankShape&, const Plan&, double payload);
/// Gathers the inputs of products after they are cast (Transformer Engine: gather_along_first_dim
/// of the tensors that LayerNormLinear and grad_output_preprocess quantized).
void add_entry(PassWork&, const RankShape&, const Plan&, double payload);
/// Reduces the outputs, which stay in 16 bits.
void add_exit(PassWork&, const RankShape&, const Plan&, double payload);

/// Makes backward run the whole layer again, so that only the layer's input is kept.
void recompute_all(LayerWork&, Bytes input);

}  // namespace model
}  // namespace tofn
