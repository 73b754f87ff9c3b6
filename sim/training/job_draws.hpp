#pragma once

#include <optional>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace training {

/// What published runs took over the hours that are simulated of them under the shortest plan. Two
/// things differ: their steps took others' plans and software, which may be faster or slower than
/// those simulated; and a run takes longer than its steps, never shorter.
struct Overrun {
  double steps = 1;         ///< median of the time of steps over the simulated one
  double steps_spread = 1;  ///< nine of ten are within this factor of it, or that factor over it
  double excess = 0;        ///< mean of ln(time of the run / of its steps), an exponential variate

  bool is_none() const { return steps == 1 && steps_spread == 1 && excess == 0; }
  /// Without the factor of steps where these were measured.
  Overrun with(bool measured_steps) const {
    return measured_steps ? Overrun{.excess = excess} : *this;
  }
};
inline constexpr Overrun no_overrun{};
/// Learnt from all published runs (a test repeats it; `validate runs` holds each of them against
/// what those of other families teach). Doubts of simulated steps are in `steps_spread`, so that
/// draws of both are somewhat wider than the runs were.
inline constexpr Overrun published_overrun{.steps = 1.48, .steps_spread = 2.42, .excess = 0.12};
/// Of so many published runs the 90 % intervals, drawn with the overrun of other families, hold so
/// many (a test counts them).
struct Coverage {
  int inside = 0;
  int runs = 0;
};
inline constexpr Coverage published_coverage{.inside = 45, .runs = 53};
/// Of the same runs without an overrun.
inline constexpr Coverage simulated_coverage{.inside = 18, .runs = 53};

inline constexpr int job_draws = 2000;  // a chance of 0.9 within 0.007

/// One draw of a run.
struct JobDraw {
  double time = 1;          ///< over the expected time
  double energy = 1;        ///< over the expected energy
  double goodput = 0;       ///< overrun apart
  double lost_seconds = 0;  ///< to failures, restarts and checkpoints; overrun apart
};

/// Steps of one kind, and what they take.
struct DrawnSteps {
  const StepResponses* responses = nullptr;
  double seconds = 0;
};
/// A stretch of a run on equally many accelerators.
struct JobStretch {
  std::vector<DrawnSteps> steps;
  double evaluation_seconds = 0;  ///< made of the steps' passes
  double fixed_seconds = 0;       ///< that are not: start-up and input
  Interruptions interruptions;
};

/// Draws of what a run's steps rest on, of failures, restarts and checkpoints that nobody states
/// and of power. Runs share draws: of the software all of them, of links, failures and power those
/// on the same cluster.
std::vector<JobDraw> drawn_jobs(const std::vector<JobStretch>&, double expected_seconds,
                                const Cluster&, const ExpenseOptions& stated);
/// The same, each times a draw of the overrun, which all runs share: max(time x steps x e^excess,
/// fastest), where `fastest` is the time over the expected one with steps as fast as their own 90 %
/// interval reaches. Where steps were measured, time x e^excess.
std::vector<JobDraw> with_overrun(std::vector<JobDraw>, const Overrun&, double fastest);

/// Where the middle and nine of ten of drawn values lie.
struct DrawnSpread {
  double median = 1;
  Interval interval{1, 1};
};
DrawnSpread spread_of(const std::vector<JobDraw>&, double JobDraw::*value);
/// With an infinite upper end where that is so far beyond what is expected that nobody sees it.
Interval open_where_endless(Interval, double expected);
/// Absent where it is infinite.
std::optional<double> upper_end(const Interval&);

}  // namespace training
}  // namespace tofn
