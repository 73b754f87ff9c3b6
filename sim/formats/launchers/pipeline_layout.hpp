#pragma once

#include <optional>
#include <string>

#include "sim/formats/launchers/launch_values.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace formats {

// Flags by which Megatron-LM spreads the layers over the virtual stages of a pipeline.

/// Text for --pipeline-model-parallel-layout: virtual stages in forward order, with `E` the
/// embedding, `t` a layer, `m` each of the last `further` layers, which predict further tokens, and
/// `L` the loss: `Et*19|t*20|t*20|t*19mL`.
std::string layout_text(const StageLayers&, int further);

/// Sets the plan's chunks and, if they are not equal, the layers of its stages. InputError at a
/// flag that Megatron-LM refuses: without a layout, every chunk has the same number of layers.
void read_pipeline_split(const LaunchValues&, Plan&);

/// Sets the flag of the chunks, or the layout if the stages of the model's pipeline are not equal.
void write_pipeline_split(const std::optional<Model>&, const Plan&, LaunchValues&);

}  // namespace formats
}  // namespace tofn
