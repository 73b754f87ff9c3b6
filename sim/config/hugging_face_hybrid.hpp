#pragma once

#include <vector>

#include "sim/config/hugging_face_keys.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

/// Mamba-2 layers by the keys of `mamba2` and `nemotron_h`.
StateSpaceLayers read_state_space(HuggingFaceKeys&, int hidden);

/// The layers that a pattern of letters names, neighbours of one letter in one part: M of a state
/// space, * attention, - an MLP so wide, E experts. Attention and experts are branches of `whole`.
/// InputError where there are other letters, or not so many as `whole` has layers.
std::vector<ModelPart> read_pattern(const YamlNode&, const StateSpaceLayers&,
                                    const TransformerLayers& whole, int dense_width);

}  // namespace config
}  // namespace tofn
