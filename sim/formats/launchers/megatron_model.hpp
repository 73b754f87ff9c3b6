#pragma once

#include <optional>

#include "sim/formats/launchers/launch_values.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace formats {

/// Transformer that Megatron-LM's flags state; absent if they state no layers. InputError if its
/// dimensions do not fit together, or if nothing tells the size of the vocabulary. If `gives_way`,
/// the caller's model replaces it, so its vocabulary is not needed and has 0 entries.
std::optional<Model> megatron_model(const LaunchValues&, bool gives_way);

/// Number of layers of the model that predict further tokens.
int further_layers(const Model&);

/// Sets the flags of the model's layers, if the flags can state them all.
void set_megatron_model(const Model&, LaunchValues&);

}  // namespace formats
}  // namespace tofn
