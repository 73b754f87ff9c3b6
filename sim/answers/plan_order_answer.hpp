#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/steps_answer.hpp"

// Whether plans stand in the order in which they were measured: what a search over plans rests on.

namespace tofn {
inline namespace answers {

/// Steps that are closer than that are taken for equal: one plan measured on two days was 6 %
/// apart (BLOOM's chronicles, github.com/bigscience-workshop/bigscience).
inline constexpr double plans_apart = 1.06;

/// A plan that was measured once or more, beside its prediction.
struct MeasuredPlan {
  Plan plan;
  double measured = 0;   ///< seconds, geometric mean
  double predicted = 0;  ///< likewise
};

/// Plans of one model on equally many of the same accelerators, of one batch and stack.
struct PlanGroup {
  ScoredStep first;  ///< names what its plans have in common
  int steps = 0;     ///< measured
  std::vector<MeasuredPlan> plans;
};

/// By what a rule would choose: the least of these is taken for the fastest.
struct PlanRule {
  std::string_view name;
  double (*of)(const MeasuredPlan&);
};
inline constexpr std::array plan_rules{
    PlanRule{"predicted", [](const MeasuredPlan& each) { return each.predicted; }},
    PlanRule{"the fewest ranks of a replica",
             [](const MeasuredPlan& each) {
               return 1.0 * each.plan.tensor_parallel_size * each.plan.pipeline_parallel_size *
                      each.plan.context_parallel_size;
             }},
    PlanRule{"any order", [](const MeasuredPlan&) { return 0.0; }}};

/// Two plans of a group that are further apart than `plans_apart`.
struct PlanPair {
  const PlanGroup* group = nullptr;
  const MeasuredPlan* faster = nullptr;  ///< as measured
  const MeasuredPlan* slower = nullptr;

  /// 1 where the rule has them in that order, 0 where not, a half where it cannot tell.
  double share_right(const PlanRule&) const;
};

/// Groups of scored steps that measured two plans or more.
std::vector<PlanGroup> plan_groups(const std::vector<ScoredStep>&);

std::vector<PlanPair> pairs_of(const std::vector<PlanGroup>&);

/// By how much the step that the rule picks is longer than the shortest that was measured: 0 of a
/// right pick, a mean where it cannot tell.
double regret(const PlanGroup&, const PlanRule&);

}  // namespace answers
}  // namespace tofn
