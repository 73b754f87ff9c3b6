#pragma once

#include <optional>
#include <string_view>

#include "sim/rollout/rollout.hpp"

namespace tofn {
inline namespace rollout {

/// Figures of what RL frameworks add to the time of training steps and of rollouts. Fitted to the
/// rows of configs/measured/rl-steps.csv (`fit_rl_figures`).
struct RlFigures {
  double dense_slowdown = 1.202;    ///< of passes, over the step that pre-training would take
  double mixture_slowdown = 2.728;  ///< the same of mixtures of experts
  /// Least time of a pass of one branch of a mixture: routing counts tokens on the host, which
  /// launches the rest only then.
  Seconds mixture_branch{3.809e-3};
  /// Time of a step for each parameter beside its passes: states moved, optimizer, buffers.
  Seconds for_parameter{60.4e-12};
  Seconds host{6.35e-3};  ///< between iterations of an engine inside a framework
};

/// Standard deviation of the logarithm of a predicted step for a model whose steps were not seen,
/// by `tofn validate rl`.
inline constexpr double rl_step_deviation = 0.181;

/// Time to give new weights to the engines: NCCL broadcasts of measured jobs took 2.0 to 2.6 s of
/// small models whatever the number of accelerators, 14.2 s of 671 and 15 s of 397 billion
/// parameters (github.com/NVIDIA-NeMo/RL@036f54af and @7ea279ab,
/// docs/guides/checkpoint-engine-refit.md; github.com/mlcommons/training@aa344c7f,
/// llm_post_training/rcp_logs).
inline constexpr Seconds least_refit{2};
inline constexpr Seconds refit_for_billion{0.02};  ///< parameters
constexpr Seconds refit_time(double parameters) {
  return least_refit + parameters / 1e9 * refit_for_billion;
}

/// Passes that train on one rollout, as pre-training would take them.
struct TrainingPasses {
  Seconds updates;              ///< forward, backward and optimizer of all updates
  Seconds logprobs;             ///< forward passes of the policy and of the reference
  double update_branches = 0;   ///< passes of one branch that a rank launches one after another
  double logprob_branches = 0;  ///< the same of the forward passes
};

/// Times of these passes inside a step of RL.
struct TrainingTimes {
  Seconds logprobs;
  Seconds updates;
};
TrainingTimes training_times(const TrainingPasses&, const Decoder&, const RlFigures&);

/// Placement of generation and training.
struct RlPlacement {
  bool is_colocated = true;  ///< both on the same accelerators, in turn
  int steps_off = 0;         ///< age in steps that a response may have; 0: on policy

  /// True if each side waits for the other: on the same accelerators, and on policy anywhere.
  bool takes_turns() const { return is_colocated || steps_off == 0; }
};

/// One step of reinforcement learning.
struct RlStep {
  RolloutTimes rollout;
  Seconds refit;  ///< new weights to the engines
  Seconds logprobs;
  Seconds updates;
  Seconds others;  ///< states moved, reward, buffers
  RlPlacement placement;

  Seconds generation() const { return rollout.latency(); }
  /// Part of the step that does not generate.
  Seconds training() const { return refit + logprobs + updates + others; }
  /// Time from one update to the next. Responses of a step that is k off may start k updates
  /// earlier, so that k + 1 periods hold one rollout and one training; neither side can be busy
  /// for longer than a period:
  ///   max(training, engines' busy time, (generation + training) / (k + 1)).
  /// On the same accelerators both sides add up.
  Seconds period() const;
  /// Time in a period in which the engines have nothing to generate. A rollout begins in each
  /// period, so that there is none where rollouts last as long as a period and overlap.
  Seconds generators_wait() const;
  /// Time in a period that the accelerators of training wait for responses.
  Seconds trainers_wait() const;
};

/// Name of what the period rests on: `training`, `generation` (engines that stay full), `longest
/// responses` (their age), or `both in turn` where each side waits for the other.
std::string_view limit_of(const RlStep&);

RlStep rl_step(const RolloutTimes&, const TrainingPasses&, const Decoder&, const RlFigures&,
               const RlPlacement&);

}  // namespace rollout
}  // namespace tofn
