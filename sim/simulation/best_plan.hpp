#pragma once

#include "sim/core/quantity.hpp"
#include "sim/simulation/plan_space.hpp"
#include "sim/simulation/plan_steps.hpp"

namespace tofn {
inline namespace simulation {

struct BestPlan {
  Plan plan;
  /// True if the plan fits the memory and its step is shorter than `to_beat`. Otherwise, if there
  /// was nothing to beat, `plan` is the one that misses the memory by least.
  bool fits = false;
  Seconds time{};  ///< of its step by events, or as the search ranks it, if it fits
  int tried = 0;   ///< number of plans that keep the rules and divide the model
};

/// Returns the plan of the space with the shortest step by events, among those that are the
/// shortest by the closed form, or the plan that ranks first (`PlanSearch::rank`). Only plans of
/// whole micro-batches count if any of them fits. Plans passed over earlier could not be shorter:
/// their passes alone take longer than the best step, or they recompute more than a plan that fits.
/// A test compares the result with that of running every plan by events. InputError if no plan
/// keeps the rules.
BestPlan best_plan(const PlanSearch&);
/// `steps`: of the same model, cluster and profile; searches at other batches and sizes share it.
BestPlan best_plan(const PlanSearch&, PlanSteps& steps);

}  // namespace simulation
}  // namespace tofn
