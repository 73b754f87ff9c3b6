#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/common_draws.hpp"
#include "sim/core/cost.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/activity.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/simulation/step_source.hpp"
#include "sim/training/run_figures.hpp"
#include "sim/workload/convergence.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace training {

/// Facts about a training run that are known before it starts; it has no result.
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

/// Calibrated parameters of a run.
struct RunParameters {
  ComputeProfile compute;
  EvaluationCost evaluation;
  Calibrated evaluation_factor;    ///< observed evaluation over that cost, for one accelerator;
                                   ///< relative spread
  Calibrated fixed;                ///< run time outside steps and evaluations; absolute spread
  bool fixed_is_in_steps = false;  ///< `fixed` is in steps instead of seconds
  SamplesToTarget samples;         ///< expected 0: only the step of the run is meaningful
};

/// Terms of a run; their sum is its time to train.
struct RunBreakdown {
  StepTimes step;      ///< one optimizer step
  double samples = 0;  ///< to the target
  double steps = 0;
  double evaluations = 0;
  Cost evaluation_each;
  Cost training;  ///< steps * step, without steps that the clock missed
  Cost evaluation;
  Cost fixed;
  Cost score_scaling;  ///< addition of the benchmark's rule to scores of lucky convergence

  Cost total() const { return training + evaluation + fixed + score_scaling; }
  /// Time beside the steps for the samples; below 0 if the clock of the logs missed some.
  Seconds beside_steps() const { return training.time + fixed.time - steps * step.total; }
};

/// Factors on the parameters of a run, and its samples.
struct RunDraw {
  StepPerturbation step;
  double evaluation = 1;
  double fixed = 0;    ///< replaces the calibrated value, in its unit; below 0: the clock missed it
  double samples = 0;  ///< replaces the expected number
  double score_factor = 1;
};

/// A run as a pure function of its parameters. Construction looks everything up, and evaluation
/// allocates nothing. The workload and cluster of the description must outlive it.
class RunModel {
 public:
  RunModel(const RunDescription&, const RunParameters&);

  /// Run with every parameter at its centre.
  RunBreakdown expected() const;
  RunBreakdown evaluate(const RunDraw&) const;

  const RunDescription& description() const { return description_; }
  const RunParameters& parameters() const { return parameters_; }
  const StepSource& step() const { return *step_; }
  double evaluation_interval() const { return interval_; }
  /// Passes of one evaluation, with the forward time of each by the step model.
  struct EvaluationPasses {
    double count = 0;
    Seconds forward;
  };
  EvaluationPasses evaluation_passes(const StepPerturbation& = {}) const;
  /// Time of one evaluation, before the accelerator's factor.
  Seconds evaluation_time(const StepPerturbation& = {}) const;

 private:
  double evaluation_count(double samples) const;
  double expected_score_factor() const;

  RunDescription description_;
  RunParameters parameters_;
  std::shared_ptr<const StepSource> step_;
  double interval_ = 0;
};

/// A run with the 90 % intervals of its terms.
struct RunPrediction {
  std::uint64_t seed = default_seed;
  RunBreakdown expected;
  Interval total_seconds;
  std::vector<RunSample> drawn;  ///< `RunSample::time` is of the total; interruptions have none
  Interval step_seconds;
  Interval samples;
  Interval training_seconds;
  Interval evaluation_seconds;
  Interval fixed_seconds;
  std::array<Interval, step_parts.size()> step_part_seconds;  ///< in the order of step_parts
};

/// Samples parameters and runs. Each sample is the score of `runs` runs on one system, whose
/// samples end at an evaluation before their olympic mean is taken. Equal seeds give equal
/// intervals.
RunPrediction predict(const RunModel&, std::uint64_t seed = default_seed);

/// Activity of the accelerators in a whole run. Evaluations count as steps and the fixed time as
/// idle; the score's scaling is no time.
Activity activity_of(const RunBreakdown&);

/// Sentences on the substitutions for features that a run requests and its machine lacks.
/// `products` is the precision if the run states none and the chip has that of the workload.
std::vector<std::string> substitutions(const RunDescription&, Precision products);
/// Substitutions, including those for collectives that the cluster's calibration lacks.
std::vector<std::string> substitutions(const RunModel&);

}  // namespace training
}  // namespace tofn
