#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/memory/footprint.hpp"

namespace tofn {
inline namespace memory {

/// What the accelerator has left of what its device reports, or its datasheet where no report is
/// known; below 0 where it is too small.
Bytes free_memory(const Footprint&, const Accelerator&);
bool fits(const Footprint&, const Accelerator&);
/// Whether so little is left or missing that the count of a footprint, some 5 % off in the mean of
/// measured peaks (`tofn validate memory`), cannot tell.
bool is_close(const Footprint&, const Accelerator&);

/// The layers of a model on a plan: `layer_work` of that model.
using LayersOf = std::function<std::vector<LayerWork>(const Plan&)>;

/// A plan for the same accelerators and global batch, what was changed, and its fullest stage.
struct FittingPlan {
  Plan plan;
  std::vector<std::string_view> changes;
  Footprint largest;
};

/// The plan with the cheapest changes that fits, the plan itself if it does; absent where none
/// does. Costs are assumed: 1 recompute the attention core, shard the optimizer, sequence
/// parallelism; 2 halve the micro-batch, shard gradients; 3 shard parameters, double tp (within a
/// scale-up domain); 4 recompute whole layers, double pp; 6 the optimizer on the host, where a link
/// leads there. Of equal sums the first in this order.
/// Doublings halve the replicas, whose accumulation steps double. Plans that break a rule, or that
/// the model does not divide by, are passed over, and so is what follows from them.
std::optional<FittingPlan> nearest_plan_that_fits(const Plan&, const LayersOf&, const Accelerator&,
                                                  const MemoryProfile&);

}  // namespace memory
}  // namespace tofn
