#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/statistics.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/timeline/step_work.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace scaling {

/// Time of a run to a target beside its steps, and the numbers of samples and steps.
struct RunAccount {
  double samples = 0;
  double steps = 0;
  Seconds evaluation;
  Seconds fixed;
  Seconds score;   ///< added by the benchmark's rule
  Seconds lost{};  ///< to failures, restarts and checkpoints, if they are counted
};

/// Samples that a job without a target is assumed to train on.
inline constexpr double samples_without_target = 1e6;

/// One number of accelerators of a scaling analysis.
struct ScaledPoint {
  int accelerators = 0;
  double batch = 0;
  double micro_batch = 0;  ///< samples per replica and pass
  StepTimes step;
  std::optional<RunAccount> run;
  std::optional<Interval> seconds;  ///< 90 % interval of the time to train, else of the step
  Basis basis = Basis::Assumed;
  std::optional<double> memory;  ///< of the most loaded rank, as a share of the accelerator's
  /// Assumed values for what the machine or its calibration lacks, a sentence each.
  std::vector<std::string> substitutions{};
  /// Time and cost of the run; without a target those of one step of a benchmark, or of
  /// `samples_without_target`. Absent if only times are known.
  std::shared_ptr<const RunEstimate> estimate{};
  bool plan_is_chosen = false;  ///< where the user left it open

  /// Time to train; without a target, the time of `samples_without_target`.
  Seconds time() const;
  double samples() const { return run ? run->samples : samples_without_target; }
  Seconds seconds_per_sample() const { return step.total / batch; }
  /// True if the model fits the memory, or if memory is not counted.
  bool fits() const { return memory.value_or(0) <= 1; }
};
ScaledPoint scaled_point(const RunEstimate&);

/// Times of a series, for knees and laws.
std::vector<ScalingPoint> times_of(std::span<const ScaledPoint>);
/// Times of `samples_without_target` with only the steps, to compare strong and weak scaling.
std::vector<ScalingPoint> sample_times_of(std::span<const ScaledPoint>);

}  // namespace scaling
}  // namespace tofn
