#pragma once

#include "sim/parallelism/stated_plan.hpp"
#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace simulation {

/// Returns the plan of every command that simulates a model. Stated fields stay, and the others
/// give the shortest step that fits (`best_plan`); `tried` is 0 if all is stated. The plan gives
/// `request` and `is_fixed` of the search. InputError if the stated fields do not split the job.
BestPlan filled_plan(const StatedPlan&, PlanSearch, PlanSteps&);
BestPlan filled_plan(const StatedPlan&, const PlanSearch&);

/// True if the usual search would choose any field of the plan.
bool leaves_open(const StatedPlan&, const Model&);

/// Returns the plan with its replicas stated, by their number or by their share of the batch; tp,
/// pp and cp that are not stated become 1.
StatedPlan with_stated_replicas(StatedPlan);

}  // namespace simulation
}  // namespace tofn
