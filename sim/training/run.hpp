#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/cost.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/activity.hpp"
#include "sim/parallelism/run_settings.hpp"
#include "sim/simulation/training_step.hpp"
#include "sim/workload/convergence.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace training {

/// Everything that is known of a training run before it starts. No outcome has a place here.
struct RunDescription {
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  Plan plan;
  RunSettings settings;
  int runs = 10;                  ///< whose olympic mean is the score
  std::optional<double> round{};  ///< of the benchmark, by whose rules it runs; absent: the newest
};

/// A calibrated figure with its spread between systems.
struct Calibrated {
  double value = 0;
  double spread = 0;  ///< standard deviation; relative or absolute as the user of it says
  Basis basis = Basis::Assumed;
};

/// How long one evaluation pass takes: as long as the host needs for it (launches, loading,
/// post-processing), or as the device needs, a multiple of the step's forward pass; the host runs
/// ahead of the device, so that the longer one counts.
struct EvaluationCost {
  Seconds host;
  double per_forward = 1;

  Seconds of(Seconds forward) const { return std::max(host, per_forward * forward); }
};

/// What calibration adds to a description.
struct RunParameters {
  ComputeProfile compute;
  EvaluationCost evaluation;
  Calibrated
      evaluation_factor;  ///< observed evaluation over that cost, on one accelerator; relative
  Calibrated fixed;       ///< run time outside steps and evaluations; absolute spread
  bool fixed_is_in_steps = false;  ///< `fixed` counts steps instead of seconds
  SamplesToTarget samples;         ///< 0 expected: only the step of the run means anything
};

/// The terms of a run; they sum to its time to train.
struct RunBreakdown {
  StepTimes step;      ///< of one optimizer step
  double samples = 0;  ///< to target
  double steps = 0;
  double evaluations = 0;
  Cost evaluation_each;
  Cost training;  ///< steps * step, without those that the clock missed
  Cost evaluation;
  Cost fixed;
  Cost score_scaling;  ///< what the benchmark's rule adds to scores of lucky convergence

  Cost total() const { return training + evaluation + fixed + score_scaling; }
  /// Beside the steps that the samples take; below 0 where the clock missed some, as logs have it.
  Seconds beside_steps() const { return training.time + fixed.time - steps * step.total; }
};

/// Factors on the parameters of a run, and its samples.
struct RunDraw {
  StepPerturbation step;
  double evaluation = 1;
  double fixed = 0;    ///< instead of the calibrated one, in its unit; below 0 the clock missed it
  double samples = 0;  ///< instead of the expected ones
  double score_factor = 1;
};

/// A run as a pure function of its parameters; building it looks everything up, evaluating it
/// allocates nothing. Workload and cluster of the description must outlive it.
class RunModel {
 public:
  RunModel(const RunDescription&, const RunParameters&);

  /// With every parameter at its centre.
  RunBreakdown expected() const;
  RunBreakdown evaluate(const RunDraw&) const;

  const RunDescription& description() const { return description_; }
  const RunParameters& parameters() const { return parameters_; }
  const TrainingStep& step() const { return step_; }
  double evaluation_interval() const { return interval_; }
  /// The passes of one evaluation, and the forward time of each by the step model.
  struct EvaluationPasses {
    double count = 0;
    Seconds forward;
  };
  EvaluationPasses evaluation_passes(const StepPerturbation& = {}) const;
  /// One evaluation before the accelerator's factor.
  Seconds evaluation_time(const StepPerturbation& = {}) const;

 private:
  double evaluation_count(double samples) const;
  double expected_score_factor() const;

  RunDescription description_;
  RunParameters parameters_;
  TrainingStep step_;
  double interval_ = 0;
};

/// A run with the 90 % intervals of its terms.
struct RunPrediction {
  RunBreakdown expected;
  Interval total_seconds;
  std::vector<double> drawn_seconds;  ///< the total of each draw
  Interval step_seconds;
  Interval samples;
  Interval training_seconds;
  Interval evaluation_seconds;
  Interval fixed_seconds;
  std::array<Interval, step_parts.size()> step_part_seconds;  ///< in the order of step_parts
};

/// Draws that an interval needs: its ends move by 2 to 3 % of its width between seeds.
inline constexpr int default_draws = 400;

/// Draws parameters and runs: each draw is the score of `runs` runs on one system, whose samples
/// end on the evaluation cadence before their olympic mean is taken. Equal seeds, equal intervals.
RunPrediction predict(const RunModel&, int draws, std::uint64_t seed);

/// What the accelerators do in a whole run. Evaluations are taken for steps, the fixed time for
/// idle; the score's scaling is no time at all.
Activity activity_of(const RunBreakdown&);

/// What takes the place of what a run asks for and its machine lacks, a sentence each. `products`:
/// the precision that they have where the run states none and the chip has the workload's.
std::vector<std::string> substitutions(const RunDescription&, Precision products);
/// With what the cluster's calibration lacks.
std::vector<std::string> substitutions(const RunModel&);

}  // namespace training
}  // namespace tofn
