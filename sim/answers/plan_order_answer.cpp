#include "sim/answers/plan_order_answer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// First of the steps, with the geometric means of their times.
ScoredStep mean_of(const std::vector<const ScoredStep*>& steps) {
  double measured = 0;
  double predicted = 0;
  for (const ScoredStep* step : steps) {
    measured += std::log(step->measured);
    predicted += std::log(step->predicted);
  }
  const auto count = static_cast<double>(steps.size());
  ScoredStep mean = *steps.front();
  mean.measured = std::exp(measured / count);
  mean.predicted = std::exp(predicted / count);
  return mean;
}

}  // namespace

double PlanPair::share_right(const PlanRule& rule) const {
  const double first = rule.of(*faster);
  const double second = rule.of(*slower);
  return first == second ? 0.5 : first < second ? 1 : 0;
}

std::vector<PlanGroup> plan_groups(const std::vector<ScoredStep>& steps) {
  std::map<std::string, std::map<std::string, std::vector<const ScoredStep*>>> jobs;
  for (const ScoredStep& step : steps)
    if (step.skipped_because.empty()) jobs[step.job][plan_words(step.plan)].push_back(&step);
  std::vector<PlanGroup> groups;
  for (const auto& [job, plans] : jobs) {
    if (plans.size() < 2) continue;
    PlanGroup& group = groups.emplace_back();
    group.first = *plans.begin()->second.front();
    for (const auto& [words, measured] : plans) {
      group.plans.push_back(mean_of(measured));
      group.steps += static_cast<int>(measured.size());
    }
    std::ranges::sort(group.plans, {}, &ScoredStep::measured);
  }
  return groups;
}

std::vector<PlanPair> pairs_of(const std::vector<PlanGroup>& groups) {
  std::vector<PlanPair> pairs;
  for (const PlanGroup& group : groups)
    for (std::size_t i = 0; i < group.plans.size(); ++i)
      for (std::size_t j = i + 1; j < group.plans.size(); ++j)
        if (group.plans[j].measured > plans_apart * group.plans[i].measured)
          pairs.push_back({&group, &group.plans[i], &group.plans[j]});
  return pairs;
}

double regret(const PlanGroup& group, const PlanRule& rule) {
  double least = std::numeric_limits<double>::infinity();
  for (const ScoredStep& each : group.plans) least = std::min(least, rule.of(each));
  double sum = 0;
  int picked = 0;
  for (const ScoredStep& each : group.plans)
    if (rule.of(each) == least) {
      sum += each.measured;
      ++picked;
    }
  return sum / picked / group.plans.front().measured - 1;
}

}  // namespace answers
}  // namespace tofn
