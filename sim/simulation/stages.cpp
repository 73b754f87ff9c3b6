#include "sim/simulation/stages.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
namespace {

void add_layer(std::vector<LayerShare>& stage, std::size_t layer) {
  if (!stage.empty() && stage.back().layer == layer)
    ++stage.back().count;
  else
    stage.push_back({.layer = layer, .count = 1});
}

int spread_layers(std::span<const LayerWork> layers) {
  int count = 0;
  for (const LayerWork& layer : layers)
    if (layer.place == StagePlace::Spread) count += layer.count;
  return count;
}

}  // namespace

std::vector<std::vector<LayerShare>> place_layers(std::span<const LayerWork> layers,
                                                  const Plan& plan) {
  const int stages = plan.pipeline_parallel_size * plan.chunks_per_stage;
  const int spread = spread_layers(layers);
  if (stages > 1 && spread < stages)
    throw InputError(
        fmt::format("{} pipeline stages x {} chunks need as many layers, the model "
                    "has {}",
                    plan.pipeline_parallel_size, plan.chunks_per_stage, spread));
  std::vector<std::vector<LayerShare>> placed(static_cast<std::size_t>(stages));
  long long next = 0;
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    for (int copy = 0; copy < layers[layer].count; ++copy) {
      if (layers[layer].place == StagePlace::Spread)
        add_layer(placed[static_cast<std::size_t>(next++ * stages / spread)], layer);
      else
        add_layer(layers[layer].place == StagePlace::First ? placed.front() : placed.back(), layer);
    }
  return placed;
}

}  // namespace tofn
