#pragma once

#include "sim/parallelism/stated_plan.hpp"
#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace simulation {

/// A job whose plan is partly stated.
struct StatedJob {
  const Model& model;
  const Cluster& cluster;
  const KernelProfile& profile;
  const StatedPlan& plan;
  int accelerators = 1;
  double batch = 1;  ///< samples per step
  PlanSpace space = PlanSpace::Default;
  Seconds to_beat = nothing_to_beat;  ///< step time that a chosen plan must beat
  PlanRank rank{};                    ///< absent: plans rank by their steps
};

/// Returns the plan of every command that simulates a model. Stated fields stay, and the others
/// give the shortest step that fits (`best_plan`); `tried` is 0 if all is stated. InputError if the
/// stated fields do not split the job.
BestPlan filled_plan(const StatedJob&, PlanSteps&);
BestPlan filled_plan(const StatedJob&);

/// True if the usual search would choose any field of the plan.
bool leaves_open(const StatedPlan&, const Model&);

/// Returns the plan with its replicas stated, by their number or by their share of the batch; tp,
/// pp and cp that are not stated become 1.
StatedPlan with_stated_replicas(StatedPlan);

}  // namespace simulation
}  // namespace tofn
