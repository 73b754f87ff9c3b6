#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/expense/expense.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/stated_plan.hpp"
#include "sim/rollout/rl_job.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {

/// Consecutive steps with one batch.
struct BatchStretch {
  double batch = 0;    ///< samples per step
  double samples = 0;  ///< total of these steps
};

/// A part of a run with one plan; a batch that ramps gives several stretches.
struct RunPhase {
  std::string name{};
  Model model;  ///< with the phase's sequence length
  std::vector<BatchStretch> stretches{};
  std::optional<int> most_accelerators{};  ///< maximum, for a part of a larger job; absent: all
  StatedPlan plan{};
  /// RL post-training, of which the samples are the responses and the plan that of training.
  std::optional<RlJob> rl{};

  double samples() const;
  double last_batch() const { return stretches.back().batch; }
};

/// Evaluations while a run trains: forward passes over an amount, once for each trained amount.
struct StatedEvaluation {
  std::optional<Amount> every{};  ///< absent: none
  Amount takes{};
};

/// A training run of a model on any machine: a file of runs/, or a single phase from options.
struct StatedRun {
  std::string name{};
  std::string title{};
  std::vector<RunPhase> phases;    ///< at least one
  bool is_one_step = false;        ///< its training samples are not stated
  bool has_default_batch = false;  ///< its batch is not stated
  std::optional<std::string> stack{};
  StatedEvaluation evaluation{};
  std::optional<double> input_rate{};  ///< samples/s per node
  Seconds start_up = default_start_up;
  ExpenseOptions interruptions{};  ///< failures, restarts and checkpoints
  /// Critical batch, stated or fitted to the reference points of a target; absent: from the law for
  /// texts.
  std::optional<Amount> critical_batch{};

  double samples() const;
  double tokens() const;  ///< 0 if samples are not texts
};

/// Name of a phase; `phase 2` if it has none.
std::string phase_name(const StatedRun&, std::size_t index);

/// The stretch of a run that trains so many samples in such steps, with the run's evaluations and
/// input. The stack must outlive it.
RunStretch stretch_of(const StatedRun&, SimulatedStep, double samples, std::size_t part_of,
                      const KernelProfile&);

}  // namespace training
}  // namespace tofn
