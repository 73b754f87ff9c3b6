#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/sample_work.hpp"
#include "sim/timeline/step_work.hpp"
#include "sim/training/run_figures.hpp"
#include "sim/training/run_samples.hpp"

namespace tofn {
inline namespace training {

struct BenchmarkRun;
struct Job;

/// Sets time, losses, energy and money from the expense of a run whose training, evaluation, input
/// and start-up are set. `grid_intensity` is in g/kWh.
void set_expense(RunFigures&, const Expense&, double grid_intensity);

/// Figures of a training run whose steps follow from dimensions (`Job`) or from measured steps of a
/// benchmark (`BenchmarkRun`). Intervals of all figures are those of its samples.
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
  std::shared_ptr<const Job> job{};  ///< one of `job` and `benchmark` is set
  std::shared_ptr<const BenchmarkRun> benchmark{};

  /// Machine of its `job` or `benchmark`.
  const Cluster& cluster() const;
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

}  // namespace training
}  // namespace tofn
