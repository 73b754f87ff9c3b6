#include "sim/answers/rl_plan_answer.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/candidate_search.hpp"
#include "sim/answers/merged_expenses.hpp"
#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Words such as `1 step off` on a trial that cannot be chosen: the age of its responses. Empty
/// where the size was left out for the same reason at every age.
std::string age_words(const std::vector<RlCandidate>& trials,
                      const std::vector<std::string>& reasons, std::size_t i) {
  const RlCandidate& trial = trials[i];
  const auto& age = trial.request.rl.steps_off;
  bool differs = false;
  for (std::size_t j = 0; j < trials.size(); ++j)
    differs = differs || (trials[j].offer == trial.offer &&
                          trials[j].point.accelerators == trial.point.accelerators &&
                          reasons[j] != reasons[i]);
  if (!differs || !age) return {};
  return *age == 0 ? "on policy" : counted(*age, "step") + " off";
}

class RlSearcher {
 public:
  explicit RlSearcher(const RlSearch& search) : search_(search) {}

  RlChoice run();

 private:
  RlCandidate trial(std::size_t offer, std::optional<int> age, int size) const;
  std::vector<std::optional<int>> ages() const;
  std::vector<RlCandidate> requested() const;
  std::vector<RlCandidate> between_sizes() const;
  void work_out(std::vector<RlCandidate> trials);
  std::string why_not(const RlCandidate&) const;
  double value(const RlCandidate& candidate) const { return search_.by.of(candidate.figures()); }
  bool keeps(const RlCandidate& each) const { return each.chance >= search_.confidence; }

  const RlSearch& search_;
  RlChoice choice_;
  LeftOutSizes left_out_;
  bool some_do_not_fit_ = false;
};

/// Candidate without its answer.
RlCandidate RlSearcher::trial(std::size_t offer, std::optional<int> age, int size) const {
  const Offer& of = search_.offers[offer];
  RlCandidate trial;
  trial.offer = offer;
  trial.point.accelerators = size;
  trial.request = search_.request;
  trial.request.cluster = of.cluster;
  trial.request.expenses = merged_expenses(of.expenses, search_.request.expenses);
  trial.request.rl.steps_off = age;
  return trial;
}

/// Ages of the responses that are tried at each size.
std::vector<std::optional<int>> RlSearcher::ages() const {
  const RlJob& rl = search_.request.rl;
  if (rl.steps_off || rl.generators) return {rl.steps_off};
  return {0, 1};
}

/// Each size of each offer, at each age.
std::vector<RlCandidate> RlSearcher::requested() const {
  std::vector<RlCandidate> trials;
  for (std::size_t offer = 0; offer < search_.offers.size(); ++offer)
    for (const int size : search_.offers[offer].sizes)
      for (const auto age : ages()) trials.push_back(trial(offer, age, size));
  return trials;
}

/// Sizes between those requested, around the best of each offer and age, at each age.
std::vector<RlCandidate> RlSearcher::between_sizes() const {
  std::set<std::pair<std::size_t, int>> between;
  for (const RlCandidate* best : worth_refining(
           choice_.candidates, search_.offers,
           [](const RlCandidate&each) { return std::pair(each.offer, each.request.rl.steps_off); },
           [&](const RlCandidate&a, const RlCandidate&b) { return is_better(search_, a, b); }))
    for (const int size : sizes_between(search_.offers[best->offer], best->point.accelerators))
      between.emplace(best->offer, size);
  std::vector<RlCandidate> trials;
  for (const auto& [offer, size] : between)
    for (const auto age : ages()) trials.push_back(trial(offer, age, size));
  return trials;
}

/// Returns why a candidate cannot be chosen; empty if it can.
std::string RlSearcher::why_not(const RlCandidate& candidate) const {
  if (!candidate.point.estimate) return candidate.point.skipped_because;
  if (!candidate.point.fits) return "no plan of training fits the memory";
  return needs_price(search_.by, search_.request.limits) && !candidate.point.estimate->expense.price
             ? unpriced_words(candidate.request.cluster, candidate.request.expenses)
             : "";
}

void RlSearcher::work_out(std::vector<RlCandidate> trials) {
  try_each(search_, trials.size(), [&](std::size_t i) {
    RlPoint& point = trials[i].point;
    try {
      point = rl_point(trials[i].request, point.accelerators);
    } catch (const InputError& error) {
      point.skipped_because = error.what();
    }
  });
  std::vector<std::string> reasons;
  for (const RlCandidate& trial : trials) reasons.push_back(why_not(trial));
  for (std::size_t i = 0; i < trials.size(); ++i) {
    RlCandidate& trial = trials[i];
    some_do_not_fit_ = some_do_not_fit_ || !trial.point.fits;
    if (!reasons[i].empty()) {
      left_out_.add(trial.request.cluster.name, trial.point.accelerators, reasons[i],
                    age_words(trials, reasons, i));
    } else if (!trial.point.estimate) {
      ++choice_.not_tried;
    } else {
      trial.chance = chance_of(*trial.point.estimate, search_.request.limits);
      trial.excess = largest_excess(*trial.point.estimate, search_.request.limits);
      choice_.candidates.push_back(std::move(trial));
    }
  }
}

RlChoice RlSearcher::run() {
  work_out(requested());
  work_out(between_sizes());
  auto& all = choice_.candidates;
  if (all.empty()) refuse_all(choice_.not_tried, left_out_, some_do_not_fit_);
  choice_.left_out = left_out_.words();
  std::ranges::stable_sort(
      all, [&](const RlCandidate& a, const RlCandidate& b) { return value(a) < value(b); });
  const auto best = std::ranges::find_if(all, [&](const RlCandidate& each) { return keeps(each); });
  if (best != all.end()) choice_.best = static_cast<std::size_t>(best - all.begin());
  choice_.nearest =
      static_cast<std::size_t>(std::ranges::min_element(all, is_nearer<RlCandidate>) - all.begin());
  return std::move(choice_);
}

}  // namespace

RlChoice rl_choice(const RlSearch& search) { return RlSearcher(search).run(); }

}  // namespace answers
}  // namespace tofn
