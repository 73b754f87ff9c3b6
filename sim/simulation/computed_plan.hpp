#pragma once

#include "sim/cluster/accelerator.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace simulation {

/// Returns the plan at the precision that the chip computes in, if it lacks the requested one. Kept
/// and sent bytes follow from that precision.
inline Plan computed_plan(Plan plan, const Model& model, const Accelerator& chip) {
  plan.precision = chip.computes_in(requested_precision(model, plan));
  return plan;
}

}  // namespace simulation
}  // namespace tofn
