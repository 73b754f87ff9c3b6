#pragma once

#include <string_view>

#include "sim/config/load_model.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn::test {

inline Model shipped_model(std::string_view name) {
  return find_model(TOFN_SOURCE_DIR "/configs", name);
}

/// The model as publishers count it: without the parts that predict further tokens.
inline Model without_further_predictions(Model model) {
  std::erase_if(model.parts, [](const ModelPart& part) {
    const auto* layers = std::get_if<TransformerLayers>(&part.shape);
    return layers != nullptr && layers->predicts_further;
  });
  for (ModelPart& part : model.parts)
    if (auto* vocabulary = std::get_if<Vocabulary>(&part.shape)) vocabulary->further_tokens = 0;
  return model;
}

/// First layer with this name; nullptr if there is none.
inline const LayerWork* find_layer(const std::vector<LayerWork>& layers, std::string_view name) {
  for (const LayerWork& layer : layers)
    if (layer.name == name) return &layer;
  return nullptr;
}
inline LayerWork transformer_layer(const Model& model, const Plan& plan) {
  return *find_layer(layer_work(model, plan), "transformer");
}

inline double gigaflop(const PassWork& pass) {
  Flops sum;
  for (const Kernel& kernel : pass.kernels) sum += kernel.flops();
  return sum.base() / 1e9;
}

/// Number of kernels that a pass launches.
inline double launches(const PassWork& pass) {
  double count = 0;
  for (const Kernel& kernel : pass.kernels) count += kernel.count;
  return count;
}

/// Bytes that the kernels without arithmetic move.
inline double moved_bytes(const PassWork& pass) {
  double sum = 0;
  for (const Kernel& kernel : pass.kernels)
    if (kernel.k == 0) sum += kernel.bytes.base() * kernel.count;
  return sum;
}

struct Traffic {
  double count = 0;
  double bytes = 0;  ///< sum of payloads
};
inline Traffic traffic(const PassWork& pass, Group group, CollectiveKind collective) {
  Traffic sum;
  for (const Exchange& each : pass.exchanges)
    if (each.group == group && each.collective == collective) {
      sum.count += each.count;
      sum.bytes += each.count * each.payload.base();
    }
  return sum;
}

}  // namespace tofn::test
