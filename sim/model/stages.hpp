#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// `count` layers of one kind. `layer` is an index into the model's layers.
struct LayerShare {
  std::size_t layer = 0;
  int count = 1;

  bool operator==(const LayerShare&) const = default;
};

/// Number of spread layers (`StagePlace::Spread`) on each virtual stage: as the plan states,
/// otherwise by their parameters or as evenly as possible, with lighter ends. InputError if the
/// plan breaks a rule.
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
  std::vector<std::size_t> ends_;  ///< end of each virtual stage in `shares_`
};

/// Places the model's layers on virtual stages, whose chunk and stage follow from the schedule.
/// Layers of the first and the last stage come in addition to `stage_layers`.
PlacedLayers place_layers(std::span<const LayerWork>, const Plan&);

/// Limits that these layers set to a plan (`check_plan`).
PlanLimits plan_limits(std::span<const LayerWork>);

}  // namespace model
}  // namespace tofn
