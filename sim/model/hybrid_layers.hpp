#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/model.hpp"

// The layers of a hybrid as letters, in their order: M a state space, * attention, - an MLP, E
// experts (Megatron-LM, `--hybrid-layer-pattern`).

namespace tofn {
inline namespace model {

/// What is wrong with the letters of so many layers (0: of any number); empty: nothing.
std::string problem_of_order(std::string_view letters, int layers, bool has_experts);

/// The parts of that order, neighbours of one letter in one. Attention and experts are branches of
/// `whole`, an MLP is so wide.
std::vector<ModelPart> parts_in_order(std::string_view letters, const StateSpaceLayers&,
                                      const TransformerLayers& whole, int dense_width);

}  // namespace model
}  // namespace tofn
