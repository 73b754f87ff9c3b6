#pragma once

#include "sim/rollout/rl_step.hpp"
#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace rollout {

/// Training side of a step of reinforcement learning.
struct TrainingRequest {
  Model model;  ///< with the mean length of prompt and response as its sequence
  const Cluster& cluster;
  const KernelProfile& profile;
  StatedPlan plan{};
  int accelerators = 1;
  double responses = 1;      ///< of one step
  int updates = 1;           ///< optimizer steps that share these responses
  int forward_passes = 2;    ///< over all responses: policy, and reference if there is a KL penalty
  double packed_tokens = 0;  ///< of a micro-batch: samples are packed up to the longest one
};

struct SimulatedPasses {
  TrainingPasses times;
  Activity activity{};  ///< in one second of these passes
  Plan plan;
  bool fits = true;
};

/// Passes of a branch that the host launches for one update: forward, forward again to recompute,
/// and a backward pass of twice as many kernels.
inline constexpr double launches_of_update = 4;

/// Returns the model at samples of this mean length, rounded up to a multiple of 64 tokens, which
/// ranks of tensor and context parallelism divide.
Model at_length(Model, double tokens);

/// Simulates the updates and forward passes. What is not stated of the plan gives the shortest time
/// of both inside a step of RL, by the figures of `RlFigures`. Samples have the mean length
/// (`at_length`). InputError if no plan splits the job.
SimulatedPasses simulated_passes(const TrainingRequest&);

/// Activity of an average accelerator in one step. The time by which frameworks are slower than the
/// simulated passes counts as launching; moved weights and states count as communicating.
Activity rl_activity(const RlStep&, const SimulatedPasses&, int generators, int trainers);

}  // namespace rollout
}  // namespace tofn
