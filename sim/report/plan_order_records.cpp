#include "sim/answers/disclosures.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/plan_order_report.hpp"

namespace tofn {
inline namespace report {

Records plan_order_records(const std::vector<PlanGroup>& groups) {
  using Pair = PlanPair;
  const auto of_job = [](auto figure) { return of_its(&Pair::group, &PlanGroup::first, figure); };
  const auto words = [](auto which) {
    return of_its(which, [](const MeasuredPlan& each) { return plan_words(each.plan); });
  };
  const Columns<Pair> columns{
      {"stack", of_job(&ScoredStep::stack)},
      {"model", of_job(&ScoredStep::model)},
      {"accelerator", of_job(&ScoredStep::accelerator)},
      {"precision", of_job(&ScoredStep::precision)},
      {"accelerators", of_job(&ScoredStep::accelerators)},
      {"global_batch", of_job([](const ScoredStep& s) { return s.plan.global_batch(); })},
      {"faster_plan", words(&Pair::faster)},
      {"slower_plan", words(&Pair::slower)},
      {"faster_measured_s", of_its(&Pair::faster, &MeasuredPlan::measured)},
      {"slower_measured_s", of_its(&Pair::slower, &MeasuredPlan::measured)},
      {"faster_predicted_s", of_its(&Pair::faster, &MeasuredPlan::predicted)},
      {"slower_predicted_s", of_its(&Pair::slower, &MeasuredPlan::predicted)},
      {"is_right", [](const Pair& pair) { return pair.share_right(plan_rules.front()) == 1; }},
      {"regret_of_group", [](const Pair& pair) { return regret(*pair.group, plan_rules.front()); }},
      {"not_blind",
       of_job([](const ScoredStep& s) { return known(not_blind("plans", "", {s.stack})); })}};
  return records_of(columns, pairs_of(groups));
}

}  // namespace report
}  // namespace tofn
