#include "sim/model/stages.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace model {
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

bool has_ends(std::span<const LayerWork> layers) {
  const auto has = [&](StagePlace place) {
    return std::any_of(layers.begin(), layers.end(),
                       [&](const LayerWork& layer) { return layer.place == place; });
  };
  return has(StagePlace::First) && has(StagePlace::Last);
}

/// How many of `spread` layers each of `stages` holds.
std::vector<int> evenly(int spread, int stages) {
  std::vector<int> counts(static_cast<std::size_t>(stages));
  for (long long layer = 0; layer < spread; ++layer)
    ++counts[static_cast<std::size_t>(layer * stages / spread)];
  return counts;
}

/// The same of virtual stages. Where these do not divide the layers, embedding and head count as
/// one each, and the first ones hold one more (torchtitan does so; Llama 3 did, arXiv 2407.21783):
/// whole rounds of them are alike on every stage.
std::vector<int> interleaved(int spread, int virtual_stages, bool counts_ends) {
  const int end = counts_ends && spread % virtual_stages != 0 ? 1 : 0;
  const int all = spread + 2 * end;
  std::vector<int> counts(static_cast<std::size_t>(virtual_stages), all / virtual_stages);
  std::for_each_n(counts.begin(), all % virtual_stages, [](int& count) { ++count; });
  counts.front() -= end;
  counts.back() -= end;
  return counts;
}

std::vector<int> stage_counts(const Plan& plan, int spread, bool counts_ends) {
  const int stages = plan.pipeline_parallel_size;
  if (plan.chunks_per_stage == 1) return evenly(spread, stages);
  return interleaved(spread, stages * plan.chunks_per_stage, counts_ends);
}

bool attends(const LayerWork& layer) {
  const auto& kernels = layer.forward.kernels;
  return std::any_of(kernels.begin(), kernels.end(), [](const Kernel& kernel) {
    return kernel.arithmetic == Arithmetic::Attention;
  });
}

}  // namespace

std::vector<std::vector<LayerShare>> place_layers(std::span<const LayerWork> layers,
                                                  const Plan& plan,
                                                  std::span<const int> stage_layers) {
  const int stages = plan.pipeline_parallel_size * plan.chunks_per_stage;
  const int spread = spread_layers(layers);
  if (stages > 1 && spread < stages)
    throw InputError(
        fmt::format("{} pipeline stages x {} chunks need as many layers, the model "
                    "has {}",
                    plan.pipeline_parallel_size, plan.chunks_per_stage, spread));
  std::vector<std::vector<LayerShare>> placed(static_cast<std::size_t>(stages));
  std::vector<int> left(stage_layers.begin(), stage_layers.end());
  if (left.empty()) left = stage_counts(plan, spread, has_ends(layers));
  assert(left.size() == placed.size() && std::accumulate(left.begin(), left.end(), 0) == spread);
  std::size_t next = 0;
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    for (int copy = 0; copy < layers[layer].count; ++copy) {
      if (layers[layer].place != StagePlace::Spread) {
        add_layer(layers[layer].place == StagePlace::First ? placed.front() : placed.back(), layer);
        continue;
      }
      while (left[next] == 0) ++next;
      --left[next];
      add_layer(placed[next], layer);
    }
  return placed;
}

PlanLimits plan_limits(std::span<const LayerWork> layers) {
  const auto any = [&](auto what) { return std::any_of(layers.begin(), layers.end(), what); };
  return {.layers = spread_layers(layers),
          .has_experts = any([](const LayerWork& layer) { return layer.expert_parameters > 0; }),
          .has_attention = any(attends)};
}

}  // namespace model
}  // namespace tofn
