#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/step_source.hpp"
#include "sim/timeline/step_work.hpp"
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

/// Figures of a training run. Intervals of all figures are those of its samples.
struct RunEstimate {
  Plan plan;       ///< of the phase that trains for longest
  StepTimes step;  ///< mean over all steps
  /// Memory of the most loaded rank; absent: measured steps do not show it.
  std::optional<Footprint> memory{};
  Expense expense;  ///< of the longest stretch on a constant number of accelerators
  Overrun overrun = no_overrun;
  Basis step_basis = Basis::Assumed;
  Basis basis = Basis::Assumed;  ///< of the whole run's time
  RunFigures expected;
  /// Figures with the overrun of published runs: the medians of the samples. They equal the
  /// expected ones where the figure does not depend on the run's time, or if no overrun is sampled.
  RunFigures typical_figures{};
  std::vector<double RunFigures::*> unknown{};  ///< figures that this kind of run lacks
  struct StatedBasis {
    double RunFigures::*figure;
    Basis basis;
  };
  std::vector<StatedBasis> bases{};  ///< figures with a basis different from their row's
  std::vector<RunSample> samples{};
  SampledSpread time{};    ///< of the samples, over the expected time
  double fastest = 1;      ///< time with steps at the fast end of their interval, over the expected
  bool is_scored = false;  ///< true if its time is a benchmark's score, without failures
  bool is_one_step = false;  ///< true if it is not known what it trains: figures of one step
  SampleWork sample_work{};  ///< of the phase that trains for longest
  FlopsPerSecond peak{};     ///< dense, of one accelerator at the precision of its products
  /// 90 % intervals of the parts of a step, in the order of `step_parts`; empty: unknown.
  std::vector<Interval> step_part_seconds{};
  std::shared_ptr<const Run> run{};

  /// Step of the stretch that trains for longest.
  const StepSource& step_source() const { return *main_stretch(*run).step; }
  /// Its simulated step; nullptr if its kernel times were measured.
  const SimulatedStep* simulated() const { return run ? step_source().simulated() : nullptr; }
  /// Benchmark whose rules it follows; nullptr if it is none.
  const Benchmark* benchmark() const { return run && run->benchmark ? &*run->benchmark : nullptr; }
  const Cluster& cluster() const { return step_source().cluster(); }
  /// Figure that states its time: minutes of a score, otherwise days.
  const RunFigure& time_figure() const;
  /// Expected time by which runs are compared: a score, otherwise the time with all losses.
  Seconds duration() const;
  /// Value of a figure; absent if it is unknown or does not apply.
  std::optional<double> value(const RunFigure&) const;
  /// Value with the overrun of published runs: the median of the samples. It equals `value` if the
  /// figure does not depend on the run's time, or if no overrun is sampled.
  std::optional<double> typical(const RunFigure&) const;
  /// 90 % interval of a figure. Both ends equal the value if no uncertain input changes it. The
  /// upper end is infinite if interruptions may be more frequent than progress.
  Interval interval(const RunFigure&) const;
  /// Figure in one sample.
  double sampled(const RunFigure&, const RunSample&) const;
  /// Name of the figure's basis, such as `formula`; `given` if the request states it.
  std::string_view basis_of(const RunFigure&) const;
};

/// Figures of a run; without a target or stated samples they are those of one step. InputError if
/// interruptions are so frequent that the run does not end, if checkpoints are more frequent than
/// they can be written, or if a requested price is unknown.
RunEstimate estimate(const Run&);
/// The expected figures of `estimate` alone, which take no samples.
RunFigures expected_figures(const Run&);

/// Activity of the accelerators while these stretches train. Evaluations draw as much power as
/// steps; the start-up and waits for samples are idle; the score's scaling is no time.
Activity activity_of(std::span<const RunStretch>, const RunBreakdown&);
/// Activity of a run whose replicas are alike.
Activity activity_of(const RunBreakdown&);

/// Bytes of a checkpoint of the trained parameters with the optimizer's state.
Bytes checkpoint_size(const Model&, const Plan&, const StateBytes&);

/// The options with the times of a checkpoint on their storage, if it is stated; the step says what
/// a checkpoint holds and who writes it. A stated time goes before that for which steps would wait.
ExpenseOptions with_checkpoint_times(ExpenseOptions, const SimulatedStep&);

}  // namespace training
}  // namespace tofn
