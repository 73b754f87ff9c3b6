#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/steps_answer.hpp"

// Scores whether predictions put plans into their measured order, on which a search over plans
// depends.

namespace tofn {
inline namespace answers {

/// Steps within this ratio count as equally long: one plan measured on two days differed by 6 %
/// (BLOOM's chronicles, github.com/bigscience-workshop/bigscience).
inline constexpr double plans_apart = 1.06;

/// Plans of one model with one batch and stack, on equally many of the same accelerators.
struct PlanGroup {
  ScoredStep first;  ///< one of the steps; names what the plans have in common
  int steps = 0;     ///< number of measured steps
  /// One step of each plan, with the geometric means of the plan's times; the fastest first.
  std::vector<ScoredStep> plans;
};

/// Rule that picks a plan: the one with the least value.
struct PlanRule {
  std::string_view name;
  double (*of)(const ScoredStep&);
};
inline constexpr std::array plan_rules{
    PlanRule{"predicted", [](const ScoredStep& each) { return each.predicted; }},
    PlanRule{"the fewest ranks of a replica",
             [](const ScoredStep& each) {
               return 1.0 * each.plan.tensor_parallel_size * each.plan.pipeline_parallel_size *
                      each.plan.context_parallel_size;
             }},
    PlanRule{"any order", [](const ScoredStep&) { return 0.0; }}};

/// Two plans of a group that are further apart than `plans_apart`.
struct PlanPair {
  const PlanGroup* group = nullptr;
  const ScoredStep* faster = nullptr;  ///< faster as measured
  const ScoredStep* slower = nullptr;

  /// Returns 1 if the rule orders the two right, 0 if it orders them wrong, and 0.5 if their values
  /// are equal.
  double share_right(const PlanRule&) const;
};

/// Returns the groups of scored steps with at least two measured plans.
std::vector<PlanGroup> plan_groups(const std::vector<ScoredStep>&);

std::vector<PlanPair> pairs_of(const std::vector<PlanGroup>&);

/// Relative excess of the step that the rule picks over the shortest measured one: 0 if the pick is
/// right; the mean over the picks if several plans have the least value.
double regret(const PlanGroup&, const PlanRule&);

}  // namespace answers
}  // namespace tofn
