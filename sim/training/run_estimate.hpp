#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/core/basis.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/expense.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/timeline/step_work.hpp"
#include "sim/training/job_draws.hpp"
#include "sim/training/run_figures.hpp"

namespace tofn {
inline namespace training {

struct BenchmarkRun;
struct Job;

/// What a training run takes, whether its steps follow from dimensions (`Job`) or rest on measured
/// ones of a benchmark (`BenchmarkRun`), and the same were its steps as fast and as slow as their
/// 90 % intervals reach (the critical batch: as large and as small as its doubt). What the whole
/// run adds up to is drawn.
struct RunEstimate {
  Plan plan;       ///< of the phase that trains for longest
  StepTimes step;  ///< the mean over all of its steps
  /// Of the fullest rank; absent: measured steps do not show it.
  std::optional<Footprint> memory{};
  Expense expense;  ///< of the longest stretch on equally many accelerators
  Overrun overrun = no_overrun;
  Basis step_basis = Basis::Assumed;
  Basis basis = Basis::Assumed;  ///< of the whole run's time
  RunFigures expected;
  RunFigures faster;
  RunFigures slower;
  std::vector<double RunFigures::*> unknown{};  ///< figures that this kind of run does not have
  struct StatedBasis {
    double RunFigures::*figure;
    Basis basis;
  };
  std::vector<StatedBasis> bases{};  ///< of figures that rest on something of their own
  std::vector<JobDraw> draws{};
  DrawnSpread time{};  ///< of the draws, over the expected, as is energy
  DrawnSpread energy{};
  DrawnSpread goodput{};
  DrawnSpread lost{};
  std::shared_ptr<const Job> job{};  ///< one of the two
  std::shared_ptr<const BenchmarkRun> benchmark{};

  /// Absent: it is not known, or does not apply.
  std::optional<double> value(const RunFigure&) const;
  /// As runs with that overrun go: the middle of the draws. The value itself where the run's time
  /// does not change it, or where no overrun is drawn.
  std::optional<double> usual(const RunFigure&) const;
  /// 90 % of it. Both ends are the value itself where nothing that is in doubt changes it. The
  /// upper one is infinite where interruptions may come faster than work.
  Interval interval(const RunFigure&) const;
  /// A figure of the whole run in one draw.
  double drawn(double RunFigures::*figure, const JobDraw&) const;
  /// `formula`, or `given` of what was asked for.
  std::string_view basis_of(const RunFigure&) const;
};

}  // namespace training
}  // namespace tofn
