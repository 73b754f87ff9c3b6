#pragma once

#include <optional>

#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace model {

/// What a rank of a plan sees of one micro-batch.
struct RankShape {
  double element = 2;        ///< bytes of an activation or weight
  double product_input = 2;  ///< bytes that products keep of an element of their inputs
  double tensor = 1;         ///< ranks that share a layer's products
  double context = 1;        ///< ranks that share a sequence
  double samples = 1;        ///< of the micro-batch
  double sequence = 0;       ///< tokens of a whole sample
  double packed_text = 0;    ///< of texts that a sample packs; 0: it is one
  double tokens = 0;         ///< of the micro-batch, on this rank
  double stream_tokens = 0;  ///< of them those whose norms and residuals it computes
};
RankShape rank_shape(const Model&, const Plan&);

// Each kind of part: what is asked of it, and what one rank does of it once `check_fit` has passed.

PartTraits part_traits(const TransformerLayers&);
PartTraits part_traits(const StateSpaceLayers&);
PartTraits part_traits(const Vocabulary&);
PartTraits part_traits(const Convolution&);
PartTraits part_traits(const ImageTransformer&);

LayerWork part_work(const TransformerLayers&, const RankShape&, const Plan&);
LayerWork part_work(const StateSpaceLayers&, const RankShape&, const Plan&);
/// The table look-up and what follows it, in the first stage.
LayerWork part_work(const Vocabulary&, const RankShape&, const Plan&);
LayerWork part_work(const Convolution&, const RankShape&, const Plan&);
LayerWork part_work(const ImageTransformer&, const RankShape&, const Plan&);

/// What a part does after all parts have gone forward, in the last stage; most do nothing then.
template <class Part>
std::optional<LayerWork> closing_work(const Part&, const RankShape&, const Plan&) {
  return {};
}
/// The norm, the product and the loss.
std::optional<LayerWork> closing_work(const Vocabulary&, const RankShape&, const Plan&);

/// InputError where the plan does not divide the part. Parts that are whole on each rank let it be.
template <class Part>
void check_fit(const Part&, const Model&, const Plan&) {}
void check_fit(const TransformerLayers&, const Model&, const Plan&);
void check_fit(const StateSpaceLayers&, const Model&, const Plan&);

// The ends of a residual branch: from the stream to products that are split over tensor-parallel
// ranks and back. Without sequence parallelism every rank holds the stream already.

/// Of what is not cast yet. `payload` is in bytes of all tokens.
void add_gather(PassWork&, const RankShape&, const Plan&, double payload);
/// What products multiply is cast before it is gathered (Transformer Engine,
/// gather_along_first_dim of what LayerNormLinear and grad_output_preprocess quantized).
void add_entry(PassWork&, const RankShape&, const Plan&, double payload);
/// Sums stay in 16 bits.
void add_exit(PassWork&, const RankShape&, const Plan&, double payload);

/// Sets what full recomputation runs again and keeps: the layer's input alone.
void recompute_all(LayerWork&, Bytes input);

}  // namespace model
}  // namespace tofn
