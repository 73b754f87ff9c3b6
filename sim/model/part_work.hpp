#pragma once

#include <vector>

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

// What one rank does of each kind of part. The plan's rules have been checked.

LayerWork transformer_work(const TransformerLayers&, const RankShape&, const Plan&);
/// The table look-up and what follows it, in the first stage.
LayerWork embedding_work(const Vocabulary&, const RankShape&, const Plan&);
/// The norm, the product and the loss, in the last.
LayerWork output_work(const Vocabulary&, const RankShape&, const Plan&);
LayerWork convolution_work(const Convolution&, const RankShape&, const Plan&);
LayerWork image_transformer_work(const ImageTransformer&, const RankShape&, const Plan&);

/// Sets what full recomputation runs again and keeps: the layer's input alone.
void recompute_all(LayerWork&, Bytes input);

}  // namespace model
}  // namespace tofn
