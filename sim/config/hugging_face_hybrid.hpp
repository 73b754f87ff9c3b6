#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/hugging_face_keys.hpp"
#include "sim/model/hybrid_layers.hpp"

namespace tofn {
inline namespace config {

/// Mamba-2 layers by their keys.
StateSpaceLayers read_state_space(HuggingFaceKeys&, int hidden);
/// Layers of Mamba (arXiv 2312.00752), as Mamba-2's of heads of 64 channels.
StateSpaceLayers read_first_state_space(HuggingFaceKeys&, int hidden);
StateSpaceLayers read_delta_net(HuggingFaceKeys&, int hidden);
/// Kimi Delta Attention by its map `linear_attn_config`.
StateSpaceLayers read_kimi_delta(HuggingFaceKeys&, int hidden);
/// LFM2's convolutions between two gates.
StateSpaceLayers read_short_convolution(HuggingFaceKeys&, int hidden);

// What stands in a hybrid's layers, as letters (sim/model/hybrid_layers.hpp).
// InputError where the keys name other layers, or not so many as there are.
/// `hybrid_override_pattern`, a letter a layer.
std::string stated_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// One layer in so many attends, one in so many has experts.
std::string periodic_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// The layers that attend are counted up (`attn_layer_indices`).
std::string indexed_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// All layers have both side by side, which are taken one after the other.
std::string parallel_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// The layers that attend, counted from one, stand in `linear_attn_config`.
std::string kimi_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// LFM2's `layer_types` or `full_attn_idxs`; the first `num_dense_layers` have no experts.
std::string convolution_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// `layer_types`, or the last of so many attends (`full_attention_interval`).
std::string typed_pattern(HuggingFaceKeys&, const TransformerLayers&);

/// The layers of `block_configs` (models that a search made narrower), neighbours of one shape in
/// one part. The names of what is not counted are added.
std::vector<ModelPart> read_blocks(HuggingFaceKeys&, const TransformerLayers& whole,
                                   std::vector<std::string>& uncounted);

}  // namespace config
}  // namespace tofn
