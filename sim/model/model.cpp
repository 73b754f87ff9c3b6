#include "sim/model/model.hpp"

#include <cmath>

#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace model {
namespace {

/// On one rank that does all, a sample at a time.
std::vector<LayerWork> whole_work(const Model& model) { return layer_work(model, Plan{}); }

Flops new_work(const PassWork& pass) {
  Flops sum;
  for (const Kernel& kernel : pass.kernels) sum += kernel.flops() * (1 - kernel.repeated);
  return sum;
}

}  // namespace

double parameters(const Model& model) {
  double sum = 0;
  for (const LayerWork& layer : whole_work(model))
    sum += layer.count * (layer.parameters + layer.expert_parameters);
  return std::round(sum);
}

double trainable_parameters(const Model& model) {
  double sum = 0;
  for (const LayerWork& layer : whole_work(model))
    sum += layer.count * layer.trainable * (layer.parameters + layer.expert_parameters);
  return std::round(sum);  // the share has been rounded
}

double active_parameters(const Model& model) {
  double sum = parameters(model);
  for (const ModelPart& part : model.parts) {
    const auto* shape = std::get_if<TransformerLayers>(&part.shape);
    if (shape == nullptr || shape->experts == 1) continue;
    Model alone = model;
    alone.parts = {part};
    const double idle = 1 - 1.0 * shape->experts_per_token / shape->experts;
    for (const LayerWork& layer : whole_work(alone))
      sum -= idle * layer.count * layer.expert_parameters;
  }
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
