#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/common_draws.hpp"
#include "sim/core/cost.hpp"
#include "sim/core/quantity.hpp"
#include "sim/expense/expense.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/simulation/step_source.hpp"
#include "sim/training/amount.hpp"
#include "sim/workload/convergence.hpp"
#include "sim/workload/workload.hpp"

// A training run, whatever its steps follow from: stretches of equal steps, what interrupts them,
// and how the run ends.

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

/// Facts about a benchmark's run that are known before it starts; it has no result.
struct RunDescription {
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  Plan plan;
  RunSettings settings;
  int runs = 10;                  ///< the score is their olympic mean
  std::optional<double> round{};  ///< round of the benchmark whose rules apply; absent: the newest
};

/// A calibrated figure with its spread between systems.
struct Calibrated {
  double value = 0;
  double spread = 0;  ///< standard deviation; relative or absolute, depending on its use
  Basis basis = Basis::Assumed;
};

/// Time of one evaluation pass: the longer of the host's time (launches, loading, post-processing)
/// and the device's time, a multiple of the step's forward pass, because the host runs ahead of the
/// device.
struct EvaluationCost {
  Seconds host;
  double per_forward = 1;

  Seconds of(Seconds forward) const { return std::max(host, per_forward * forward); }
};

/// Calibrated parameters of a benchmark's run.
struct RunParameters {
  ComputeProfile compute;
  EvaluationCost evaluation;
  Calibrated evaluation_factor;    ///< observed evaluation over that cost, for one accelerator;
                                   ///< relative spread
  Calibrated fixed;                ///< run time outside steps and evaluations; absolute spread
  bool fixed_is_in_steps = false;  ///< `fixed` is in steps instead of seconds
  SamplesToTarget samples;         ///< expected 0: only the step of the run is meaningful
};

/// A benchmark's run with its parameters.
struct Benchmark {
  RunDescription description;
  RunParameters parameters;

  /// Samples between two evaluations, of which one ends the run.
  double evaluation_interval() const;
};

/// Evaluations while a stretch trains: forward-only passes, once for each interval of samples.
struct Evaluations {
  double interval = 0;  ///< samples from one to the next; 0: none
  double skipped = 0;   ///< of the first ones
  double least = 0;     ///< fewest: a run to a target ends with one
  double passes = 0;    ///< of one evaluation
  double samples = 0;   ///< of a pass of one replica
  EvaluationCost pass{};

  /// Evaluations while so many samples are trained.
  double count(double trained) const {
    return interval > 0 ? std::max(least, trained / interval - skipped) : 0;
  }
  /// Time of one evaluation by the step.
  Seconds each(const StepSource& step, const StepPerturbation& by = {}) const {
    return interval > 0 ? passes * pass.of(step.forward_pass(samples, passes, by)) : Seconds{};
  }
};

/// A stretch of a run with equal steps.
struct RunStretch {
  std::shared_ptr<const StepSource> step;
  double samples = 0;  ///< that it trains; of a run to a target, those expected
  Evaluations evaluations{};
  Seconds read{};           ///< in which nodes read the samples of a step; 0: no limit
  std::size_t part_of = 0;  ///< phase of the run, whose batch may be ramped
  std::string phase{};      ///< its name

  double steps() const { return samples / step->samples(); }
  Seconds time() const { return steps() * step->times().total; }
};

/// Time from the first command to the first step of a well-started job: 361 s on 2,048 accelerators
/// with Megatron-LM before an improvement, below 30 s after it (MegaScale, arXiv 2402.15627);
/// assumed between.
inline constexpr Seconds default_start_up = Seconds(5 * 60.0);

/// Random inputs of a run; by default the expected ones.
struct RunDraw {
  StepDeviations step{};  ///< of the inputs of steps
  double evaluation = 1;  ///< factor on the time of evaluations
  /// Replaces the start-up, in its unit; below 0: the clock missed steps.
  std::optional<double> start_up{};
  double samples = 1;  ///< factor on the samples
  double score_factor = 1;
};

/// Terms of a run without failures; their sum is its time.
struct RunBreakdown {
  StepTimes step;      ///< mean over all steps
  double samples = 0;  ///< that it trains
  double steps = 0;
  double evaluations = 0;
  Cost evaluation_each;
  Cost training;  ///< steps * step, without steps that the clock missed
  Cost evaluation;
  Cost input;          ///< steps that wait for nodes to read their samples
  Cost fixed;          ///< start-up, and what else is neither a step nor an evaluation
  Cost score_scaling;  ///< addition of the benchmark's rule to scores of lucky convergence

  /// Time of the run as it is clocked.
  Cost clocked() const { return training + evaluation + input + fixed; }
  Cost total() const { return clocked() + score_scaling; }
  /// Time of all steps, including those that the clock missed.
  Seconds stepping() const { return steps * step.total; }
  /// Time beside the steps for the samples; below 0 if the clock of the logs missed some.
  Seconds beside_steps() const { return training.time + fixed.time - stepping(); }
};

/// A training run, of a model or of a benchmark.
struct Run {
  std::vector<RunStretch> stretches;  ///< in order; at least one
  /// Rules by which it ends and is scored; absent: it trains the samples of its stretches.
  std::optional<Benchmark> benchmark{};
  Calibrated start_up{.value = default_start_up.base()};
  bool start_up_is_in_steps = false;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
  std::optional<Amount> critical_batch{};  ///< absent: the extra samples of a batch are unknown
  Overrun overrun = no_overrun;            ///< with which the whole run is sampled
  bool is_one_step = false;                ///< it is not known what it trains
  std::uint64_t seed = default_seed;       ///< of the samples that ranges are made of

  /// Expected inputs, with the expected scaling of the score.
  RunDraw centre() const;
  /// Run with these inputs. Allocates nothing.
  RunBreakdown evaluate(const RunDraw&) const;
  /// Run with every input at its centre.
  RunBreakdown expected() const;
  /// True if it trains to a target whose samples are known.
  bool has_target() const { return benchmark && benchmark->parameters.samples.expected > 0; }
};

/// Terms of some stretches of a run; `start_up` is in the run's unit.
RunBreakdown evaluate(const Run&, std::span<const RunStretch>, double start_up, const RunDraw&);
/// Terms of some stretches whose steps take these times.
RunBreakdown evaluate(const Run&, std::span<const RunStretch>, double start_up,
                      StepTimes (*times)(const StepSource&));

/// Evaluations of a benchmark's run; none if no time of them is part of it.
Evaluations evaluations_of(const Benchmark&);

/// A benchmark's run; one of a step if the samples to its target are unknown. The description's
/// workload and cluster must outlive it. Throws as `step_source` does.
Run benchmark_run(const RunDescription&, const RunParameters&, std::uint64_t seed = default_seed);

/// Runs of the single phases of a run; only the first includes the start-up.
std::vector<Run> by_phase(const Run&);
/// Stretch that trains for longest, whose steps an answer shows.
const RunStretch& main_stretch(const Run&);
/// Step of a model whose most loaded stage needs the most memory; nullptr if steps were measured.
const SimulatedStep* fullest_step(const Run&);
/// Mean step over all steps of the stretches.
StepTimes mean_step(std::span<const RunStretch>);

/// Sentences on the substitutions for features that a run requests and its machine lacks.
/// `products` is the precision if the run states none and the chip has that of the workload.
std::vector<std::string> substitutions(const RunDescription&, Precision products);
/// Substitutions of a benchmark's run, including those for collectives that the cluster's
/// calibration lacks.
std::vector<std::string> substitutions(const Run&);

/// A measured run for calibration. A figure is absent if it was not recorded.
struct Observation {
  RunDescription run;
  std::string origin;           ///< `organisation/system`
  std::optional<Seconds> step;  ///< steady step, without evaluation and start-up
  /// Relative standard error of a step that is the median of single steps on one machine, without
  /// evaluations; absent if the step is the mean over a run, which other servers repeat.
  std::optional<double> step_error{};
  bool calibrates_step = true;  ///< false: other observations of the same step are used instead
  std::optional<Seconds> evaluation_each;  ///< exposed time of one evaluation
  std::optional<Seconds> fixed;            ///< run time outside steps and evaluations
  std::optional<double> samples;           ///< mean of the runs
  std::optional<double> samples_deviation;
};

}  // namespace training
}  // namespace tofn
