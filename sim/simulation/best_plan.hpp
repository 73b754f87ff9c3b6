#pragma once

#include "sim/core/quantity.hpp"
#include "sim/simulation/plan_space.hpp"
#include "sim/simulation/plan_steps.hpp"

namespace tofn {
inline namespace simulation {

struct BestPlan {
  Plan plan;
  /// And its step is shorter than what is to be beaten; else, with nothing to beat, it is the one
  /// that misses the memory by least.
  bool fits = false;
  Seconds time{};  ///< of its step by events, where it fits
  int tried = 0;   ///< plans that keep the rules and divide the model
};

/// The plan with the shortest step by events, of those of the space that are the shortest by the
/// closed form; of whole micro-batches where any such plan fits. What is passed over before could
/// not have been shorter: plans whose passes alone take longer than the best step, and those that
/// compute more again than one that fits. A law holds it against running every plan by events.
/// InputError where no plan keeps the rules.
BestPlan best_plan(const PlanSearch&);
/// `steps`: of its model, cluster and profile, which searches at other batches and sizes share.
BestPlan best_plan(const PlanSearch&, PlanSteps& steps);

}  // namespace simulation
}  // namespace tofn
