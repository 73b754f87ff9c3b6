#pragma once

#include <vector>

#include "sim/model/layer_work.hpp"
#include "sim/model/rank_shape.hpp"

namespace tofn {

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

}  // namespace tofn
