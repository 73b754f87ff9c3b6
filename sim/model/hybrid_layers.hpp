#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/model.hpp"

// Layers of a hybrid model as letters, in forward order: M is a state space, * attention, - an MLP,
// E experts (Megatron-LM, `--hybrid-layer-pattern`).

namespace tofn {
inline namespace model {

/// Mistake in the letters of `layers` layers (0: any number); empty if there is none.
std::string problem_of_order(std::string_view letters, int layers, bool has_experts);

/// Parts in the order of the letters; equal neighbours are one part. Attention and experts are
/// branches of `whole`, and an MLP is `dense_width` wide.
std::vector<ModelPart> parts_in_order(std::string_view letters, const StateSpaceLayers&,
                                      const TransformerLayers& whole, int dense_width);

}  // namespace model
}  // namespace tofn
