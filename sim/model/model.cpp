#include "sim/model/model.hpp"

#include <cassert>
#include <cmath>

#include "sim/model/layer_work.hpp"
#include "sim/model/part_work.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Layers of the model on a single rank, one sample at a time.
std::vector<LayerWork> whole_work(const Model& model) { return layer_work(model, Plan{}); }

Flops new_work(const PassWork& pass) {
  Flops sum;
  for (const Kernel& kernel : pass.kernels) sum += kernel.flops() * (1 - kernel.repeated);
  return sum;
}

/// Calls `each` with every layer and the share of its experts that a token uses.
template <class Each>
void for_each_active(const Model& model, const Each& each) {
  const std::vector<LayerWork> layers = whole_work(model);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    double share = 1;
    if (i < model.parts.size()) {  // only the closing layer of the vocabulary comes after the parts
      const PartTraits part = model.parts[i].traits();
      share = 1.0 * part.experts_per_token / part.experts;
    }
    each(layers[i], share);
  }
}

}  // namespace

PartTraits ModelPart::traits() const {
  return std::visit([](const auto& kind) { return part_traits(kind); }, shape);
}

void add_further_predictions(Model& model, int layers) {
  const TransformerLayers* last = nullptr;
  for (ModelPart& part : model.parts) {
    if (auto* vocabulary = std::get_if<Vocabulary>(&part.shape))
      vocabulary->further_tokens = layers;
    if (const auto* shape = std::get_if<TransformerLayers>(&part.shape)) last = shape;
  }
  assert(last != nullptr);
  TransformerLayers further = *last;
  further.count = layers;
  further.predicts_further = true;
  model.parts.push_back({.name = "multi-token prediction", .shape = further});
}

std::vector<PartTraits> layer_traits(const Model& model) {
  std::vector<PartTraits> all;
  for (const ModelPart& part : model.parts)
    if (const PartTraits traits = part.traits(); traits.splits()) all.push_back(traits);
  return all;
}

bool has_experts(const Model& model) {
  return std::ranges::any_of(model.parts,
                             [](const ModelPart& part) { return part.traits().experts > 1; });
}

double parameters(const Model& model) {
  double sum = 0;
  for (const LayerWork& layer : whole_work(model))
    sum += layer.count * (layer.parameters + layer.expert_parameters);
  return std::round(sum);
}

double trainable_parameters(const Model& model) {
  double sum = 0;
  for (const LayerWork& layer : whole_work(model))
    sum += layer.count * (layer.trained() + layer.trained_experts());
  return std::round(sum);  // the trained share was rounded
}

double active_parameters(const Model& model) {
  double sum = 0;
  for_each_active(model, [&](const LayerWork& layer, double share) {
    sum += layer.count * (layer.parameters + share * layer.expert_parameters);
  });
  return std::round(sum);
}

double parameter_flops(const Model& model) {
  double sum = 0;
  for_each_active(model, [&](const LayerWork& layer, double share) {
    const double active = layer.parameters + share * layer.expert_parameters;
    const double trained = layer.trained() + share * layer.trained_experts();
    const bool sends_gradients = trained > 0 || !layer.backward.kernels.empty();
    sum += layer.count * (2 * active + (sends_gradients ? 2 * active : 0) + 2 * trained);
  });
  return std::round(sum);
}

Flops model_flops(const Model& model) {
  Flops sum;
  for (const LayerWork& layer : whole_work(model))
    sum += (new_work(layer.forward) + new_work(layer.backward)) * layer.count;
  return sum;
}

}  // namespace model
}  // namespace tofn
