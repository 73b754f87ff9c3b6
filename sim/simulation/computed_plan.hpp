#pragma once

#include "sim/model/layer_work.hpp"
#include "sim/parallelism/chip_dispatch.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Returns the plan at the precision that the chip computes in, if it lacks the requested one, and
/// with the exchange of tokens that runs on the chip. Kept and sent bytes follow from these.
inline Plan computed_plan(Plan plan, const Model& model, const Accelerator& chip) {
  plan.precision = chip.computes_in(requested_precision(model, plan));
  plan.expert_dispatch = chip_dispatch(plan.expert_dispatch, chip);
  return plan;
}

/// Returns the step's plan without the features that its machine lacks, to print what runs.
Plan plan_that_runs(const SimulatedStep&);

}  // namespace simulation
}  // namespace tofn
