#pragma once

#include <optional>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace training {

/// Time of published runs over their simulated hours under the shortest plan. There are two
/// factors: their steps used other plans and software, which may be faster or slower than those
/// simulated; and a run takes longer than its steps, never shorter.
struct Overrun {
  double steps = 1;         ///< median of the time of steps over the simulated time
  double steps_spread = 1;  ///< 90 % of runs are between the median divided and multiplied by this
  double excess = 0;        ///< mean of ln(time of the run / of its steps), an exponential variate

  bool is_none() const { return steps == 1 && steps_spread == 1 && excess == 0; }
  /// Returns the overrun without the factor of steps if these were measured.
  Overrun with(bool measured_steps) const {
    return measured_steps ? Overrun{.excess = excess} : *this;
  }
};
inline constexpr Overrun no_overrun{};
/// Overrun fitted to all published runs (a test repeats the fit; `validate runs` compares each run
/// with the fit to other families). `steps_spread` includes the uncertainty of simulated steps, so
/// that samples of both are somewhat wider than the runs were.
inline constexpr Overrun published_overrun{.steps = 1.48, .steps_spread = 2.42, .excess = 0.12};
/// Number of published runs whose 90 % interval contains them, sampled with the overrun of other
/// families, and number of all these runs (a test counts them).
struct Coverage {
  int inside = 0;
  int runs = 0;
};
inline constexpr Coverage published_coverage{.inside = 45, .runs = 53};
/// Coverage of the same runs without an overrun.
inline constexpr Coverage simulated_coverage{.inside = 18, .runs = 53};

inline constexpr int job_draws = 2000;  // a chance of 0.9 is within 0.007

/// One sample of a run.
struct JobDraw {
  double time = 1;          ///< over the expected time
  double energy = 1;        ///< over the expected energy
  double goodput = 0;       ///< without the overrun
  double lost_seconds = 0;  ///< failures, restarts and checkpoints, without the overrun
};

/// Steps of one kind with their expected time.
struct DrawnSteps {
  const StepResponses* responses = nullptr;
  double seconds = 0;
};
/// A stretch of a run on a constant number of accelerators.
struct JobStretch {
  std::vector<DrawnSteps> steps;
  double evaluation_seconds = 0;  ///< scales with the steps' passes
  double fixed_seconds = 0;       ///< does not scale with steps: start-up and input
  Interruptions interruptions;
};

/// Samples the inputs of the steps, power, and those figures of failures, restarts and checkpoints
/// that are not stated. Runs share random numbers: for the software all runs, for links, failures
/// and power all runs on the same cluster.
std::vector<JobDraw> drawn_jobs(const std::vector<JobStretch>&, double expected_seconds,
                                const Cluster&, const ExpenseOptions& stated);
/// Multiplies each sample by one of the overrun, which all runs share: max(time x steps x e^excess,
/// fastest). `fastest` is the time, over the expected one, with steps at the fast end of their 90 %
/// interval. If steps were measured, time x e^excess.
std::vector<JobDraw> with_overrun(std::vector<JobDraw>, const Overrun&, double fastest);

/// Median and 90 % interval of sampled values.
struct DrawnSpread {
  double median = 1;
  Interval interval{1, 1};
};
DrawnSpread spread_of(const std::vector<JobDraw>&, double JobDraw::*value);
/// Makes the upper end infinite if it is so far above the expected value that it has no meaning.
Interval open_where_endless(Interval, double expected);
/// Upper end; absent if it is infinite.
std::optional<double> upper_end(const Interval&);

}  // namespace training
}  // namespace tofn
