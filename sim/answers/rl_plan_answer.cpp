#include "sim/answers/rl_plan_answer.hpp"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "sim/answers/merged_expenses.hpp"
#include "sim/answers/run_point.hpp"
#include "sim/core/answer_of_no.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Candidates without their answers: each size of each offer, at each age.
std::vector<RlCandidate> rl_trials(const RlSearch& search) {
  const RlJob& rl = search.request.rl;
  std::vector<std::optional<int>> ages{rl.steps_off};
  if (!rl.steps_off && !rl.generators) ages = {0, 1};
  std::vector<RlCandidate> trials;
  for (std::size_t offer = 0; offer < search.offers.size(); ++offer) {
    RlRequest request = search.request;
    request.cluster = search.offers[offer].cluster;
    request.expenses = merged_expenses(search.offers[offer].expenses, search.request.expenses);
    for (const int size : search.offers[offer].sizes)
      for (const auto age : ages) {
        RlCandidate& trial = trials.emplace_back();
        trial.offer = offer;
        trial.request = request;
        trial.request.rl.steps_off = age;
        trial.point.accelerators = size;
      }
  }
  return trials;
}

/// Returns why a candidate cannot be chosen; empty if it can.
std::string why_not(const RlSearch& search, const RlCandidate& candidate) {
  if (!candidate.point.estimate) return candidate.point.skipped_because;
  if (!candidate.point.fits) return "no plan of training fits the memory";
  const bool needs_price =
      search.by.needs_price ||
      std::any_of(search.request.limits.begin(), search.request.limits.end(),
                  [](const RunLimit& limit) { return limit.figure == &RunFigures::usd; });
  return needs_price && !candidate.point.estimate->expense.price
             ? unpriced_words(candidate.request.cluster, candidate.request.expenses)
             : "";
}

}  // namespace

RlChoice rl_choice(const RlSearch& search) {
  std::vector<RlCandidate> trials = rl_trials(search);
  std::mutex one_at_a_time;
  std::size_t done = 0;
  in_parallel(trials.size(), [&](std::size_t i) {
    if (search.on_progress) {
      const std::lock_guard lock(one_at_a_time);
      search.on_progress(done++, trials.size());
    }
    RlPoint& point = trials[i].point;
    try {
      point = rl_point(trials[i].request, point.accelerators);
    } catch (const InputError& error) {
      point.skipped_because = error.what();
    }
  });
  RlChoice choice;
  for (RlCandidate& trial : trials) {
    const std::string reason = why_not(search, trial);
    if (!reason.empty()) {
      add_new(choice.left_out, {fmt::format("{}, N = {}: {}", trial.request.cluster.name,
                                            trial.point.accelerators, reason)});
      continue;
    }
    trial.chance = chance_of(*trial.point.estimate, search.request.limits);
    choice.candidates.push_back(std::move(trial));
  }
  auto& all = choice.candidates;
  if (all.empty()) {
    if (choice.left_out.empty()) throw InputError("nothing to choose from");
    const std::string text = refusal_of_all(choice.left_out.front(), choice.left_out.size());
    const bool some_do_not_fit = std::any_of(
        trials.begin(), trials.end(), [](const RlCandidate& trial) { return !trial.point.fits; });
    if (some_do_not_fit) throw AnswerOfNo(text);
    throw InputError(text);
  }
  std::stable_sort(all.begin(), all.end(), [&](const RlCandidate& a, const RlCandidate& b) {
    return search.by.of(a.figures()) < search.by.of(b.figures());
  });
  const auto keeps = [&](const RlCandidate& each) { return each.chance >= search.confidence; };
  const auto best = std::find_if(all.begin(), all.end(), keeps);
  if (best != all.end()) choice.best = static_cast<std::size_t>(best - all.begin());
  const auto less_likely = [](const RlCandidate& a, const RlCandidate& b) {
    return a.chance < b.chance;
  };
  choice.nearest =
      static_cast<std::size_t>(std::max_element(all.begin(), all.end(), less_likely) - all.begin());
  return choice;
}

}  // namespace answers
}  // namespace tofn
