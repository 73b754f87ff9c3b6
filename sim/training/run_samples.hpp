#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/training/run.hpp"
#include "sim/training/run_figures.hpp"

namespace tofn {
inline namespace training {

/// Stretches of a run on a constant number of accelerators, with what their interruptions cost.
struct RunSegment {
  std::span<const RunStretch> stretches;
  double start_up = 0;  ///< in the run's unit
  RunBreakdown expected{};
  Expense expense{};
};

/// Samples of a run.
struct SampledRun {
  std::vector<RunSample> samples;
  /// 90 % intervals of the parts of a benchmark's step in seconds, in the order of `step_parts`;
  /// empty otherwise.
  std::vector<Interval> step_part_seconds;
};

/// Samples the inputs of the steps, power and the critical batch. A model's run samples those
/// figures of failures, restarts and checkpoints that are not stated. A benchmark's run samples its
/// evaluations, start-up and samples to the target: each sample is the score of `runs` runs on one
/// system, without failures, of which each ends at an evaluation before their olympic mean is
/// taken. Runs share random numbers (`DrawStream`).
SampledRun sampled_run(const Run&, std::span<const RunSegment>, const RunFigures& expected);

/// Multiplies each sample by one of the overrun, which all runs share: max(time x steps x e^excess,
/// fastest). `fastest` is the time, over the expected one, with steps at the fast end of their 90 %
/// interval. If steps were measured, time x e^excess. `start_up`: share of the expected time that
/// no step takes, to which only the excess applies.
std::vector<RunSample> with_overrun(std::vector<RunSample>, const Overrun&, double fastest,
                                    std::uint64_t seed = default_seed, double start_up = 0);

/// Median and 90 % interval of a sampled factor over an expected figure.
struct SampledSpread {
  double median = 1;
  Interval interval{1, 1};
};
/// Spread of a factor; 1 without samples.
SampledSpread spread_of(const std::vector<RunSample>&, double RunSample::*value);
/// Ratio of a run's longest to its expected time from which on the upper end tells nothing
/// (assumed).
inline constexpr double longest_told = 100;
/// Makes the upper end infinite from `most` times the expected value on.
Interval open_where_endless(Interval, double expected, double most = longest_told);
/// Upper end; absent if it is infinite.
std::optional<double> upper_end(const Interval&);

}  // namespace training
}  // namespace tofn
