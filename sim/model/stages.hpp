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

  bool operator==(const LayerShare&) const = default;
};

/// How many of the layers that may lie anywhere each virtual stage holds: as the plan states, else
/// by their parameters or as evenly as they divide, with lighter ends. InputError where the plan
/// breaks a rule.
StageLayers stage_layers(std::span<const LayerWork>, const Plan&);
bool is_even(const StageLayers&);

/// The layers of every virtual stage of a pipeline, in forward order.
class PlacedLayers {
 public:
  std::size_t size() const { return ends_.size(); }
  std::span<const LayerShare> operator[](std::size_t virtual_stage) const {
    const std::size_t begin = virtual_stage == 0 ? 0 : ends_[virtual_stage - 1];
    return std::span(shares_).subspan(begin, ends_[virtual_stage] - begin);
  }

 private:
  friend PlacedLayers place_layers(std::span<const LayerWork>, const Plan&);
  std::vector<LayerShare> shares_;
  std::vector<std::size_t> ends_;  ///< in `shares_`
};

/// Which chunk of which stage each is, the schedule's placement says. Those of the first and the
/// last stage come on top of `stage_layers`.
PlacedLayers place_layers(std::span<const LayerWork>, const Plan&);

/// What these layers allow a plan (`check_plan`).
PlanLimits plan_limits(std::span<const LayerWork>);

}  // namespace model
}  // namespace tofn
