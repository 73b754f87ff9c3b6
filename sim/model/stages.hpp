#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// `count` layers of one kind, as an index into the model's layers.
struct LayerShare {
  std::size_t layer = 0;
  int count = 1;
};

/// The layers of every virtual stage of the pipeline, in forward order; which chunk of
/// which stage each is, the schedule's placement says. Layers that may lie anywhere are spread
/// evenly by number, or as `stage_layers` says for each virtual stage (their sum is asserted);
/// those of the first and the last stage come on top. InputError where there are fewer layers than
/// virtual stages.
std::vector<std::vector<LayerShare>> place_layers(std::span<const LayerWork>, const Plan&,
                                                  std::span<const int> stage_layers = {});

/// What these layers allow a plan (`check_plan`).
PlanLimits plan_limits(std::span<const LayerWork>);

}  // namespace model
}  // namespace tofn
