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

/// What a run takes beside its steps, where it trains to a target.
struct RunAccount {
  double samples = 0;
  double steps = 0;
  Seconds evaluation;
  Seconds fixed;
  Seconds score;   ///< what the benchmark's rule adds
  Seconds lost{};  ///< to failures, restarts and checkpoints, where they are counted
};

/// What a job without a target is taken to train on.
inline constexpr double samples_without_target = 1e6;

/// One number of accelerators of a scaling analysis.
struct ScaledPoint {
  int accelerators = 0;
  double batch = 0;
  double micro_batch = 0;  ///< samples per replica and pass
  StepTimes step;
  std::optional<RunAccount> run;
  std::optional<Interval> seconds;  ///< 90 % of the time to train, else of the step
  Basis basis = Basis::Assumed;
  std::optional<double> memory;  ///< share of the accelerator's that the fullest rank holds
  /// What takes the place of what the machine or its calibration lacks, a sentence each.
  std::vector<std::string> substitutions{};
  /// What the run takes and costs; without a target that of one step of a benchmark, else that of
  /// `samples_without_target`. Absent: only times are known.
  std::shared_ptr<const RunEstimate> estimate{};
  bool plan_is_chosen = false;  ///< what of it nobody stated

  /// Time to train; without a target that of `samples_without_target`.
  Seconds time() const;
  double samples() const { return run ? run->samples : samples_without_target; }
  Seconds seconds_per_sample() const { return step.total / batch; }
  /// Whether the memory holds it; true where the memory is not counted.
  bool fits() const { return memory.value_or(0) <= 1; }
};
ScaledPoint scaled_point(const RunEstimate&, bool has_target);

/// Times of a series, for knees and laws.
std::vector<ScalingPoint> times_of(std::span<const ScaledPoint>);
/// The same of `samples_without_target`, of steps alone: what strong and weak scaling compare.
std::vector<ScalingPoint> sample_times_of(std::span<const ScaledPoint>);

}  // namespace scaling
}  // namespace tofn
