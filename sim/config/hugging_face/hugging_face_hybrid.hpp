#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/config/hugging_face/hugging_face_keys.hpp"
#include "sim/model/hybrid_layers.hpp"

namespace tofn {
inline namespace config {

/// Reads Mamba-2 layers.
StateSpaceLayers read_state_space(HuggingFaceKeys&, int hidden);
/// Reads layers of Mamba (arXiv 2312.00752) as Mamba-2 layers with heads of 64 channels.
StateSpaceLayers read_first_state_space(HuggingFaceKeys&, int hidden);
StateSpaceLayers read_delta_net(HuggingFaceKeys&, int hidden);
/// Reads Kimi Delta Attention from the map `linear_attn_config`.
StateSpaceLayers read_kimi_delta(HuggingFaceKeys&, int hidden);
/// Reads LFM2's convolutions between two gates.
StateSpaceLayers read_short_convolution(HuggingFaceKeys&, int hidden);

// Functions that return a hybrid's layers as letters (sim/model/hybrid_layers.hpp). InputError if
// the keys name unknown layers or another number of layers.

/// Reads `hybrid_override_pattern`, one letter a layer.
std::string stated_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// Reads the periods of layers with attention and of layers with experts.
std::string periodic_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// Reads the indices of layers with attention (`attn_layer_indices`).
std::string indexed_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// Returns layers that have attention and state space side by side, modelled one after the other.
std::string parallel_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// Reads the layers with attention, counted from one, from `linear_attn_config`.
std::string kimi_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// Reads LFM2's `layer_types` or `full_attn_idxs`; the first `num_dense_layers` have no experts.
std::string convolution_pattern(HuggingFaceKeys&, const TransformerLayers&);
/// Reads `layer_types`, or the period whose last layer attends (`full_attention_interval`).
std::string typed_pattern(HuggingFaceKeys&, const TransformerLayers&);

}  // namespace config
}  // namespace tofn
