#include "sim/report/plan_order_report.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords plan_order_records(const std::vector<PlanGroup>& groups) {
  using Pair = PlanPair;
  const auto of_job = [](auto figure) { return of_its(&Pair::group, &PlanGroup::first, figure); };
  const auto words = [](auto which) {
    return of_its(which, [](const ScoredStep& each) { return plan_words(each.plan); });
  };
  const TableColumns<Pair> columns{
      {"stack", of_job(&ScoredStep::stack), "software, by its name in stacks/"},
      {"model", of_job(&ScoredStep::model)},
      {"accelerator", of_job(&ScoredStep::accelerator)},
      {"precision", of_job(&ScoredStep::precision)},
      {"accelerators", of_job(&ScoredStep::accelerators)},
      {"global_batch", of_job([](const ScoredStep& s) { return s.plan.global_batch(); })},
      {"faster_plan", words(&Pair::faster), "faster plan of a measured pair"},
      {"slower_plan", words(&Pair::slower), "slower plan of a measured pair"},
      {"faster_measured_s", of_its(&Pair::faster, &ScoredStep::measured),
       "step of the faster plan"},
      {"slower_measured_s", of_its(&Pair::slower, &ScoredStep::measured),
       "step of the slower plan"},
      {"faster_predicted_s", of_its(&Pair::faster, &ScoredStep::predicted),
       "predicted step of the faster plan"},
      {"slower_predicted_s", of_its(&Pair::slower, &ScoredStep::predicted),
       "predicted step of the slower plan"},
      {"is_right", [](const Pair& pair) { return pair.share_right(plan_rules.front()) == 1; },
       "1 where the prediction orders the pair rightly"},
      {"regret_of_group", [](const Pair& pair) { return regret(*pair.group, plan_rules.front()); },
       "excess of the step of the plan that was predicted best over that of the best one"},
      {"not_blind",
       of_job([](const ScoredStep& s) { return known(not_blind("plans", "", {s.stack})); })}};
  return records_of(columns, pairs_of(groups));
}

namespace {

/// Score of a rule over some jobs.
struct RuleScore {
  std::string name;
  std::size_t jobs = 0, plans = 0, pairs = 0;
  double right = 0;  ///< number of pairs in their measured order
  double regret = 0, worst = 0;
};

RuleScore score_of(const std::string& name, const std::vector<PlanGroup>& groups,
                   const PlanRule& rule) {
  const std::vector<PlanPair> pairs = pairs_of(groups);
  RuleScore score{.name = name, .jobs = groups.size(), .pairs = pairs.size()};
  for (const PlanPair& pair : pairs) score.right += pair.share_right(rule);
  for (const PlanGroup& group : groups) {
    score.plans += group.plans.size();
    const double lost = regret(group, rule);
    score.regret += lost / static_cast<double>(groups.size());
    score.worst = std::max(score.worst, lost);
  }
  return score;
}

TableColumns<RuleScore> score_columns() {
  using Row = RuleScore;
  const auto share = [](const Row& row) {
    return row.pairs == 0 ? std::nullopt
                          : std::optional(row.right / static_cast<double>(row.pairs));
  };
  return {left("by", &Row::name),
          right("jobs", &Row::jobs),
          right("plans", &Row::plans),
          right("pairs", &Row::pairs),
          right("right", &Row::right, "{:g}"),
          right("right %", share, percent),
          right("regret %", &Row::regret, percent),
          right("worst %", &Row::worst, percent)};
}

std::string wrong_text(const PlanPair& pair) {
  const ScoredStep& job = pair.group->first;
  return note(
      "wrong",
      fmt::format("{} {} {} on {} {}: {} is {:.0f} % faster than {}, predicted {:.0f} % slower",
                  job.stack, job.model, job.precision, job.accelerators, job.accelerator,
                  plan_words(pair.faster->plan),
                  100 * (pair.slower->measured / pair.faster->measured - 1),
                  plan_words(pair.slower->plan),
                  100 * (pair.faster->predicted / pair.slower->predicted - 1)));
}

}  // namespace

AnswerText plan_order_text(const std::vector<PlanGroup>& groups, StepProtocol protocol) {
  if (groups.empty()) return {.screen = "no two steps differ in their plan alone\n"};
  std::vector<RuleScore> scores;
  for (const PlanRule& rule : plan_rules)
    scores.push_back(score_of(std::string(rule.name), groups, rule));
  std::set<std::string> stacks;
  for (const PlanGroup& group : groups) stacks.insert(group.first.stack);
  for (const std::string& stack : stacks) {
    std::vector<PlanGroup> its;
    for (const PlanGroup& group : groups)
      if (group.first.stack == stack) its.push_back(group);
    scores.push_back(score_of("predicted, " + stack, its, plan_rules.front()));
  }
  int steps = 0;
  for (const PlanGroup& group : groups) steps += group.steps;
  const std::vector<PlanPair> pairs = pairs_of(groups);
  double right = 0;
  AnswerText text;
  for (const PlanPair& pair : pairs) {
    const double share = pair.share_right(plan_rules.front());
    right += share;
    if (share < 1) text.details += wrong_text(pair);
  }
  text.screen = fmt::format(
                    "{:g} of {} pairs of plans ({:.0f} %) stand in the order that was measured "
                    "({})\n\n",
                    right, pairs.size(),
                    100 * right / static_cast<double>(std::max<std::size_t>(1, pairs.size())),
                    name_of(protocol)) +
                table_text(score_columns(), scores) + '\n' +
                note("pairs", fmt::format("of {} steps, measured {:.0f} % or more apart", steps,
                                          100 * (plans_apart - 1))) +
                note("regret", "how much longer than the fastest measured step the chosen one is") +
                listed_note("next", {"--details for the pairs in the wrong order"});
  text.details += disclosed_text("plans");
  return text;
}

}  // namespace report
}  // namespace tofn
