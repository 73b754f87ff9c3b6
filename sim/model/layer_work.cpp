#include "sim/model/layer_work.hpp"

#include "sim/model/part_work.hpp"
#include "sim/model/plan_fit.hpp"

namespace tofn {
inline namespace model {
namespace {

struct WorkOf {
  const RankShape& rank;
  const Plan& plan;

  LayerWork operator()(const TransformerLayers& shape) const {
    return transformer_work(shape, rank, plan);
  }
  LayerWork operator()(const Vocabulary& shape) const { return embedding_work(shape, rank, plan); }
  LayerWork operator()(const Convolution& shape) const {
    return convolution_work(shape, rank, plan);
  }
  LayerWork operator()(const ImageTransformer& shape) const {
    return image_transformer_work(shape, rank, plan);
  }
};

/// No gradient comes so far where nothing before trains. Of images their parts say so.
void drop_idle_backward(LayerWork& layer) {
  layer.backward = {};
  layer.recompute = {};
  layer.activations = {};
}
bool is_of_text(const ModelPart& part) {
  return std::holds_alternative<Vocabulary>(part.shape) ||
         std::holds_alternative<TransformerLayers>(part.shape);
}

}  // namespace

void recompute_all(LayerWork& work, Bytes input) {
  work.recompute = work.forward;
  work.activations = input;
}

Precision asked_precision(const Model& model, const Plan& plan) {
  return plan.precision.value_or(model.precision);
}

std::vector<LayerWork> layer_work(const Model& model, const Plan& plan) {
  check_plan_fits(model, plan);
  const RankShape rank = rank_shape(model, plan);
  std::vector<LayerWork> layers;
  const Vocabulary* vocabulary = nullptr;
  bool trains_before = false;
  for (const ModelPart& part : model.parts) {
    layers.push_back(std::visit(WorkOf{rank, plan}, part.shape));
    if (const auto* found = std::get_if<Vocabulary>(&part.shape))
      vocabulary = found;
    else if (!part.name.empty())
      layers.back().name = part.name;
    trains_before = trains_before || !is_of_text(part) ||
                    layers.back().trained() + layers.back().trained_experts() > 0;
    if (!trains_before) drop_idle_backward(layers.back());
  }
  if (vocabulary != nullptr) layers.push_back(output_work(*vocabulary, rank, plan));
  return layers;
}

}  // namespace model
}  // namespace tofn
