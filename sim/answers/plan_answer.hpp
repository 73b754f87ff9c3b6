#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/job_answer.hpp"
#include "sim/answers/plan_loss.hpp"
#include "sim/core/parallel.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace answers {

/// What the best run has least of.
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

/// Machines that may be had.
struct Offer {
  Cluster cluster;
  std::vector<int> sizes;  ///< ascending; finer ones between doublings are tried around the best
  bool is_refined = true;
  std::string asked_as{};  ///< its name or file, in the words of who asks
  int unit = 0;            ///< accelerators that are had together; 0: a node's
  ExpenseOptions expenses{};

  int whole_unit() const { return unit > 0 ? unit : cluster.accelerators_per_node.value; }
};

/// Which machines, how many of them and which plan a run should have.
struct RunSearch {
  /// The same training: as it is, and in other precisions, which chips that lack them do not take.
  std::vector<RunFile> runs;
  std::vector<Offer> offers;
  const KernelProfile& profile;
  Objective by = objectives.front();
  std::vector<RunLimit> limits{};
  double confidence = 0.9;       ///< with which it keeps them all
  Overrun overrun = no_overrun;  ///< that limits are kept with
  double grid_intensity = default_grid_intensity;
  PlanSpace space = PlanSpace::All;
  std::function<bool()> is_stopped{};  ///< asked before each candidate, from any thread
  OnProgress on_progress{};            ///< told of candidates
};

/// A run on so many accelerators of one offer, by the shortest plan that fits.
struct RunCandidate {
  std::size_t run = 0;    ///< of `RunSearch::runs`
  std::size_t offer = 0;  ///< of `RunSearch::offers`
  RunPoint point;
  double chance = 0;            ///< with which it keeps all limits
  double excess = 0;            ///< `largest_excess` over them
  bool is_on_frontier = false;  ///< none takes less time for less money

  const RunEstimate& estimate() const { return *point.estimate; }
  const RunFigures& figures() const { return point.estimate->expected; }
};

/// Whether the first comes nearer to keeping all limits: by its chance, of equal ones by its
/// excess.
bool is_nearer(const RunCandidate&, const RunCandidate&);

/// A limit that decides: without it another candidate would be best.
struct BindingLimit {
  RunLimit limit;
  std::size_t best_without = 0;
};

struct RunChoice {
  std::vector<RunCandidate> candidates;  ///< that fit, the best of the objective first
  std::optional<std::size_t> best;       ///< that keeps the limits with the asked confidence
  std::size_t nearest = 0;               ///< to keeping them
  std::optional<std::size_t> runner_up;  ///< on other machines or of another size
  double ahead = 1;  ///< share of the draws in which the best is better than the runner-up
  std::vector<LostBy> lost_by;                   ///< why the runner-up did
  std::optional<std::size_t> other_precision{};  ///< on the best's machines
  std::vector<BindingLimit> binding;
  std::vector<std::string> left_out;  ///< sizes and clusters, with the reason
  int not_tried = 0;                  ///< candidates that it was stopped before
};

/// Draws of what the steps rest on are shared: doubts of the software by all candidates, those of
/// links by those of one cluster, so that candidates are told apart more sharply than each is
/// known. InputError where none fits.
RunChoice run_choice(const RunSearch&);

}  // namespace answers
}  // namespace tofn
