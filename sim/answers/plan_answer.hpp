#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/model_run.hpp"
#include "sim/answers/plan_loss.hpp"
#include "sim/core/parallel.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace answers {

/// Quantity that the search minimises.
struct Objective {
  std::string_view name;
  double (*of)(const RunFigures&);
  bool needs_price = false;
};
inline constexpr std::array objectives{
    Objective{"time", [](const RunFigures& f) { return f.days; }},
    Objective{"cost", [](const RunFigures& f) { return f.usd; }, true},
    Objective{"energy", [](const RunFigures& f) { return f.kilowatt_hours; }},
    Objective{"cost-x-time", [](const RunFigures& f) { return f.usd * f.days; }, true},
    Objective{"carbon", [](const RunFigures& f) { return f.co2_tonnes; }}};

/// Machines on offer.
struct Offer {
  Cluster cluster;
  std::vector<int> sizes;  ///< ascending; finer ones between doublings are tried around the best
  bool is_refined = true;
  std::string requested_as{};  ///< its name or file as requested
  int unit = 0;                ///< accelerators rented together; 0: those of a node
  ExpenseOptions expenses{};
  double price_deviation = 0;  ///< of the logarithm of its price (`price_deviation`)

  int whole_unit() const { return unit > 0 ? unit : cluster.accelerators_per_node.value; }
};

/// A search for the machines, their number and the plan of a run.
struct RunSearch {
  /// The run as requested, then the same training in other precisions, which are tried only on
  /// chips that have them.
  std::vector<StatedRun> runs;
  std::vector<Offer> offers;
  const KernelProfile& profile;
  Objective by = objectives.front();
  std::vector<RunLimit> limits{};
  double confidence = 0.9;       ///< required probability of keeping all limits
  Overrun overrun = no_overrun;  ///< used when limits are checked
  double grid_intensity = default_grid_intensity;
  PlanSpace space = PlanSpace::All;
  std::function<bool()> is_stopped{};  ///< called before each candidate, from any thread
  OnProgress on_progress{};            ///< called with the number of candidates done
};

/// The search's question for one of its runs and offers, without the limits.
RunRequest request_of(const RunSearch&, std::size_t run, std::size_t offer);

/// A run on one number of accelerators of one offer, by the fastest plan that fits.
struct RunCandidate {
  std::size_t run = 0;    ///< index in `RunSearch::runs`
  std::size_t offer = 0;  ///< index in `RunSearch::offers`
  RunPoint point;
  double chance = 0;            ///< probability that it keeps all limits
  double excess = 0;            ///< `largest_excess` over them
  bool is_on_frontier = false;  ///< on the Pareto front of time and cost

  const RunEstimate& estimate() const { return *point.estimate; }
  /// Figures by which runs are ranked and which are printed: with the overrun, if one is sampled.
  const RunFigures& figures() const { return point.estimate->typical_figures; }
};

/// True if the first comes nearer to keeping all limits: it has the higher chance or, at equal
/// chances, the smaller excess.
template <class Candidate>
bool is_nearer(const Candidate& a, const Candidate& b) {
  return std::pair(-a.chance, a.excess) < std::pair(-b.chance, b.excess);
}

/// A limit that decides: without it, another candidate would be best.
struct BindingLimit {
  RunLimit limit;
  std::size_t best_without = 0;
};

struct RunChoice {
  std::vector<RunCandidate> candidates;  ///< only those that fit, best in the objective first
  std::optional<std::size_t> best;       ///< keeps the limits with the requested confidence
  std::size_t nearest = 0;               ///< index of the candidate nearest to keeping the limits
  std::optional<std::size_t> runner_up;  ///< on other machines or of another size
  /// Share of the draws in which the best is at least as good as the runner-up, with what chips,
  /// plans, runs and prices have of their own (`undrawn_variance`).
  double ahead = 1;
  std::vector<LostBy> lost_by;                   ///< factors by which the runner-up is worse
  std::optional<std::size_t> other_precision{};  ///< same machines, another precision
  std::vector<BindingLimit> binding;
  std::vector<std::string> left_out;  ///< a line for each cluster and reason
  int not_tried = 0;                  ///< candidates not tried because the search was stopped
};

/// Chooses the best run. Candidates share the draws of their uncertain inputs: all candidates those
/// of the software, and candidates on one cluster those of its links. Their differences are
/// therefore known more sharply than each of them. InputError if none fits.
RunChoice run_choice(const RunSearch&);

}  // namespace answers
}  // namespace tofn
