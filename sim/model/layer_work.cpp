#include "sim/model/layer_work.hpp"

#include <optional>
#include <utility>

#include "sim/model/part_work.hpp"
#include "sim/model/plan_fit.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Removes the backward pass of a layer that no gradient reaches, because nothing before it trains.
void drop_idle_backward(LayerWork& layer) {
  layer.backward = {};
  layer.recompute = {};
  layer.activations = {};
}

}  // namespace

void recompute_all(LayerWork& work, Bytes input) {
  work.recompute = work.forward;
  work.activations = input;
}

Precision requested_precision(const Model& model, const Plan& plan) {
  return plan.precision.value_or(model.precision);
}

std::vector<LayerWork> layer_work(const Model& model, const Plan& plan) {
  check_plan_fits(model, plan);
  const RankShape rank = rank_shape(model, plan);
  std::vector<LayerWork> layers;
  std::optional<LayerWork> last;
  bool trains_before = false;
  for (const ModelPart& part : model.parts) {
    const auto work = [&](const auto& shape) { return part_work(shape, rank, plan); };
    const auto closing = [&](const auto& shape) { return closing_work(shape, rank, plan); };
    LayerWork& layer = layers.emplace_back(std::visit(work, part.shape));
    auto closes = std::visit(closing, part.shape);
    if (!closes && !part.name.empty()) layer.name = part.name;
    if (closes) last = std::move(closes);
    trains_before =
        trains_before || !part.traits().is_text() || layer.trained() + layer.trained_experts() > 0;
    if (!trains_before) drop_idle_backward(layer);
  }
  if (last) layers.push_back(*std::move(last));
  return layers;
}

}  // namespace model
}  // namespace tofn
