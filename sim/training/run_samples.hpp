#pragma once

#include <optional>
#include <vector>

#include "sim/core/common_draws.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/expense/goodput.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/run_figures.hpp"

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

/// Steps of one kind with their expected time.
struct SampledSteps {
  const StepResponses* responses = nullptr;
  double seconds = 0;
  double read_seconds = 0;  ///< in which nodes read the samples of these steps; 0: no limit
};
/// A stretch of a run on a constant number of accelerators.
struct SampledStretch {
  std::vector<SampledSteps> steps;
  double evaluation_seconds = 0;  ///< scales with the steps' passes
  double start_up_seconds = 0;
  Interruptions interruptions;
};

/// Samples the inputs of the steps, power, the critical batch, and those figures of failures,
/// restarts and checkpoints that are not stated. Runs share random numbers (`DrawStream`).
std::vector<RunSample> sampled_run(const std::vector<SampledStretch>&, double expected_seconds,
                                   const Cluster&, const ExpenseOptions& stated,
                                   std::uint64_t seed = default_seed);
/// Multiplies each sample by one of the overrun, which all runs share: max(time x steps x e^excess,
/// fastest). `fastest` is the time, over the expected one, with steps at the fast end of their 90 %
/// interval. If steps were measured, time x e^excess. `start_up`: share of the expected time that
/// no step takes, to which only the excess applies.
std::vector<RunSample> with_overrun(std::vector<RunSample>, const Overrun&, double fastest,
                                    std::uint64_t seed = default_seed, double start_up = 0);

/// Samples of the power that a run draws, over the expected one, and of its site's interruptions:
/// one stream, of which the power is the first number.
class SiteDraws {
 public:
  SiteDraws(const Cluster& cluster, std::uint64_t seed)
      : draws_(DrawStream::Site, seed, cluster.name) {}

  void next();
  double power() const { return power_; }
  const InterruptionDeviations& interruptions() const { return interruptions_; }

 private:
  CommonDraws draws_;
  double power_ = 1;
  InterruptionDeviations interruptions_{};
};

/// Samples of a critical batch over the expected one (`critical_batch_uncertainty`).
class CriticalBatchDraws {
 public:
  explicit CriticalBatchDraws(std::uint64_t seed) : draws_(DrawStream::CriticalBatch, seed) {}

  double next();

 private:
  CommonDraws draws_;
};

/// Median and 90 % interval of a sampled factor over an expected figure.
struct SampledSpread {
  double median = 1;
  Interval interval{1, 1};
};
/// Spread of a factor; 1 without samples.
SampledSpread spread_of(const std::vector<RunSample>&, double RunSample::*value);
/// Makes the upper end infinite if it is so far above the expected value that it has no meaning.
Interval open_where_endless(Interval, double expected);
/// Upper end; absent if it is infinite.
std::optional<double> upper_end(const Interval&);

}  // namespace training
}  // namespace tofn
