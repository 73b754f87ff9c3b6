#include "sim/model/layer_work.hpp"

#include <optional>
#include <utility>
#include <vector>

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

/// Works of a model's parts; parts of equal shape, as a pattern repeats them, share theirs.
class PartWorks {
 public:
  PartWorks(const RankShape& rank, const Plan& plan) : rank_(rank), plan_(plan) {}

  const LayerWork& of(const ModelPart& part) {
    for (const auto& [known, work] : made_)
      if (known->shape == part.shape) return work;
    const auto work = [&](const auto& shape) { return part_work(shape, rank_, plan_); };
    return made_.emplace_back(&part, std::visit(work, part.shape)).second;
  }

 private:
  const RankShape& rank_;
  const Plan& plan_;
  std::vector<std::pair<const ModelPart*, LayerWork>> made_;
};

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
  layers.reserve(model.parts.size() + 1);
  PartWorks works(rank, plan);
  std::optional<LayerWork> last;
  bool trains_before = false;
  for (const ModelPart& part : model.parts) {
    const auto closing = [&](const auto& shape) { return closing_work(shape, rank, plan); };
    LayerWork& layer = layers.emplace_back(works.of(part));
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
