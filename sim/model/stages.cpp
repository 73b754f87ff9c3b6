#include "sim/model/stages.hpp"

#include <algorithm>
#include <functional>

namespace tofn {
inline namespace model {
namespace {

bool holds(std::span<const LayerWork> layers, StagePlace place) {
  return std::ranges::any_of(layers, [&](const LayerWork& layer) { return layer.place == place; });
}

int spread_layers(std::span<const LayerWork> layers) {
  int count = 0;
  for (const LayerWork& layer : layers)
    if (layer.place == StagePlace::Spread) count += layer.count;
  return count;
}

/// Number of the `spread` layers on each virtual stage. If the stages do not divide them, embedding
/// and head count as a layer each, and the first stages hold one more (torchtitan does so; Llama 3
/// did, arXiv 2407.21783, and BLOOM, arXiv 2211.05100).
std::vector<int> evenly(int spread, int virtual_stages, bool has_ends) {
  const int end = has_ends && spread % virtual_stages != 0 ? 1 : 0;
  const int all = spread + 2 * end;
  std::vector<int> counts(static_cast<std::size_t>(virtual_stages), all / virtual_stages);
  std::for_each_n(counts.begin(), all % virtual_stages, [](int& count) { ++count; });
  counts.front() -= end;
  counts.back() -= end;
  return counts;
}

/// Number of layers on each virtual stage if parameters decide. A stage takes layers until it
/// exceeds its share of all parameters used in products, including the head's; stages between the
/// ends get at least one (nanotron, models/base.py, build_model, and get_block_compute_costs of its
/// Llama).
std::vector<int> balanced(std::span<const LayerWork> layers, int virtual_stages) {
  const auto weight = [](const LayerWork& layer) {
    return layer.place == StagePlace::First ? 0 : layer.parameters + layer.expert_parameters;
  };
  double all = 0;
  for (const LayerWork& layer : layers) all += layer.count * weight(layer);
  std::vector<int> counts(static_cast<std::size_t>(virtual_stages), 0);
  int stage = 0;
  double placed = 0;
  int left = spread_layers(layers);
  for (const LayerWork& layer : layers)
    for (int copy = 0; layer.place == StagePlace::Spread && copy < layer.count; ++copy) {
      ++counts[static_cast<std::size_t>(stage)];
      placed += weight(layer);
      const bool is_full = placed > all * (stage + 1) / virtual_stages;
      const bool others_need_all = --left <= virtual_stages - 2 - stage;
      if (stage + 1 < virtual_stages && (is_full || others_need_all)) ++stage;
    }
  return counts;
}

bool attends(const LayerWork& layer) {
  const auto& kernels = layer.forward.kernels;
  return std::ranges::any_of(
      kernels, [](const Kernel& kernel) { return kernel.arithmetic == Arithmetic::Attention; });
}

}  // namespace

StageLayers stage_layers(std::span<const LayerWork> layers, const Plan& plan) {
  const PlanLimits limits = plan_limits(layers);
  check_plan(plan, limits);
  if (plan.stage_layers.is_stated()) return plan.stage_layers;
  const int virtual_stages = plan.pipeline_parallel_size * plan.chunks_per_stage;
  if (plan.balanced_stages && limits.has_ends) return {balanced(layers, virtual_stages)};
  return {evenly(*limits.layers, virtual_stages, limits.has_ends)};
}

bool is_even(const StageLayers& layers) {
  const std::vector<int>& counts = layers.counts;
  return std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
}

PlacedLayers place_layers(std::span<const LayerWork> layers, const Plan& plan) {
  const std::vector<int> spread = stage_layers(layers, plan).counts;
  std::vector<int> left;  // copies still to place, by layer; 0 for layers of an end
  for (const LayerWork& layer : layers)
    left.push_back(layer.place == StagePlace::Spread ? layer.count : 0);
  PlacedLayers placed;
  placed.shares_.reserve(spread.size() + 2 * layers.size());
  placed.ends_.reserve(spread.size());
  for (std::size_t stage = 0; stage < spread.size(); ++stage) {
    int missing = spread[stage];
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const bool is_end = (layers[i].place == StagePlace::First && stage == 0) ||
                          (layers[i].place == StagePlace::Last && stage + 1 == spread.size());
      const int taken = std::min(left[i], missing);
      left[i] -= taken;
      missing -= taken;
      if (const int held = is_end ? layers[i].count : taken; held > 0)
        placed.shares_.push_back({.layer = i, .count = held});
    }
    placed.ends_.push_back(placed.shares_.size());
  }
  return placed;
}

PlanLimits plan_limits(std::span<const LayerWork> layers) {
  const auto any = [&](auto what) { return std::ranges::any_of(layers, what); };
  return {.layers = spread_layers(layers),
          .has_ends = holds(layers, StagePlace::First) && holds(layers, StagePlace::Last),
          .has_experts = any([](const LayerWork& layer) { return layer.expert_parameters > 0; }),
          .has_attention = any(attends)};
}

}  // namespace model
}  // namespace tofn
