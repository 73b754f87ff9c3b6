#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/plan_answer.hpp"
#include "sim/answers/rl_answer.hpp"

namespace tofn {
inline namespace answers {

/// A search for the machines, their number and the division of a run of RL post-training.
struct RlSearch {
  RlRequest request;  ///< without cluster and sizes; its expenses are what the run itself states
  std::vector<Offer> offers;
  Objective by = objectives.front();
  double confidence = 0.9;             ///< required probability of keeping all limits
  std::function<bool()> is_stopped{};  ///< called before each candidate, from any thread
  OnProgress on_progress{};            ///< called with the number of candidates done
};

/// A run on one number of accelerators of one offer, by its best division at one age of responses.
struct RlCandidate {
  std::size_t offer = 0;  ///< index in `RlSearch::offers`
  RlRequest request;      ///< of that cluster and age
  RlPoint point;
  double chance = 1;  ///< probability that it keeps all limits
  double excess = 0;  ///< `largest_excess` over them

  const RunFigures& figures() const { return point.estimate->typical_figures; }
};

struct RlChoice {
  std::vector<RlCandidate> candidates;  ///< only those that fit, best in the objective first
  std::optional<std::size_t> best;      ///< keeps the limits with the requested confidence
  std::size_t nearest = 0;              ///< the candidate that is nearest to keeping them
  std::vector<std::string> left_out;    ///< a line for each cluster and reason
  int not_tried = 0;                    ///< candidates not tried because the search was stopped

  const RlCandidate& shown() const { return candidates[best.value_or(nearest)]; }
};

/// Chooses the best run. Where neither the age of responses nor who generates is stated, a run on
/// policy and one whose responses are one step off are tried at each size, and around the best
/// sizes others between doublings. InputError if none fits.
RlChoice rl_choice(const RlSearch&);

}  // namespace answers
}  // namespace tofn
