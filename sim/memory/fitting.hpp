#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/memory/footprint.hpp"

namespace tofn {
inline namespace memory {

/// Memory left of what the accelerator's device reports, otherwise of its datasheet's value;
/// negative if the footprint exceeds it.
Bytes free_memory(const Footprint&, const Accelerator&);
bool fits(const Footprint&, const Accelerator&);
/// True if the margin is smaller than the error of a footprint, some 5 % in the mean of measured
/// peaks (`tofn validate memory`).
bool is_close(const Footprint&, const Accelerator&);

/// Returns the layers of a model on a plan, by `layer_work`.
using LayersOf = std::function<std::vector<LayerWork>(const Plan&)>;

/// A plan for the same accelerators and global batch, its changes, and its most loaded stage.
struct FittingPlan {
  Plan plan;
  std::vector<std::string_view> changes;
  Footprint largest;
};

/// Returns the plan with the cheapest changes that fits, or the plan itself if it does; absent if
/// none does. Costs are assumed: 1 recompute the attention core, shard the optimizer, sequence
/// parallelism; 2 halve the micro-batch, shard gradients; 3 shard parameters, double tp (within a
/// scale-up domain); 4 recompute whole layers, double pp; 6 offload the optimizer, if a host link
/// exists. Equal sums take the first in this order. Doubling tp or pp halves the replicas and
/// doubles their accumulation steps. Plans that break a rule or do not divide the model are
/// skipped, and so are changes of them.
std::optional<FittingPlan> nearest_plan_that_fits(const Plan&, const LayersOf&, const Accelerator&,
                                                  const MemoryProfile&);

}  // namespace memory
}  // namespace tofn
