#pragma once

#include <optional>

#include "sim/launch/launch_values.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace launch {

/// The transformer that Megatron-LM's flags state; nothing where they state no layers. InputError
/// at dimensions that do not fit together, and where nothing tells how many entries the vocabulary
/// has; of a model that gives way to one that the caller names none are asked for.
std::optional<Model> megatron_model(const LaunchValues&, bool gives_way);

/// Layers of the model that predict further tokens.
int further_layers(const Model&);

/// Sets the flags of a model's layers, where it is such a transformer.
void set_megatron_model(const Model&, LaunchValues&);

}  // namespace launch
}  // namespace tofn
