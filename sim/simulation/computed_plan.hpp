#pragma once

#include "sim/cluster/accelerator.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace simulation {

/// The plan in the precision that the chip computes in where it lacks the one that was asked for:
/// what ranks keep and send is of that.
inline Plan computed_plan(Plan plan, const Model& model, const Accelerator& chip) {
  plan.precision = chip.computes_in(asked_precision(model, plan));
  return plan;
}

}  // namespace simulation
}  // namespace tofn
