#pragma once

#include <optional>
#include <string>

#include "sim/launch/launch_values.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace launch {

// How Megatron-LM's flags spread the layers over the virtual stages of a pipeline.

/// As --pipeline-model-parallel-layout has them: virtual stages in forward order, `E` the
/// embedding, `t` a layer, `m` each of the `further` last ones, which predict further tokens, `L`
/// the loss: `Et*19|t*20|t*20|t*19mL`.
std::string layout_text(const StageLayers&, int further);

/// Sets the plan's chunks and, where they are not equal, the layers of its stages. InputError at
/// the flag that Megatron-LM refuses: without a layout every chunk holds as many layers.
void read_pipeline_split(const LaunchValues&, Plan&);

/// Chunks, and the layout where the stages of the model's pipeline are not equal.
void write_pipeline_split(const std::optional<Model>&, const Plan&, LaunchValues&);

}  // namespace launch
}  // namespace tofn
