#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/core/statistics.hpp"
#include "sim/rollout/rl_job.hpp"
#include "sim/rollout/training_passes.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/run_estimate.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace answers {

/// RL post-training of a model on each of several numbers of accelerators.
struct RlRequest {
  RlJob rl;
  Model model;
  Cluster cluster;
  KernelProfile profile;
  StatedPlan plan{};         ///< of training
  std::vector<int> sizes{};  ///< accelerators, ascending
  std::string name{};        ///< of the run's file; empty: the model's
  Seconds start_up = default_start_up;
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;
  Overrun overrun = no_overrun;    ///< of whole runs; that of steps is in the steps' own spread
  std::vector<RunLimit> limits{};  ///< the answer states the chance that each holds

  bool is_one_step() const { return !rl.steps; }
  const std::string& title() const { return name.empty() ? model.name : name; }
};

/// A division of the accelerators, and the step that it gives.
struct RlSplit {
  int generators = 0;  ///< all of them if both sides share them
  int trainers = 0;
  EngineLayout engine{};
  int engines = 0;
  RlStep step{};
  Activity activity{};  ///< of an average accelerator in one step
  Plan plan{};          ///< of training
  bool fits = true;     ///< training fits the memory

  /// Generating accelerators that are left over where engines do not divide them.
  int idle() const { return generators - engines * engine.ranks; }
};

/// Answer for one number of accelerators. Its estimate is of the whole run, or of one step.
struct RlPoint : RunPoint {
  std::optional<RlSplit> split{};
  /// One update of training, if it does not fit the memory.
  std::optional<SimulatedStep> too_large{};
  std::optional<RlSplit> better{};  ///< another ratio or age that is clearly shorter
  std::optional<RlSplit> shared{};  ///< both sides on the same accelerators, if clearly shorter

  /// 90 % interval of the step.
  Interval seconds() const;
  /// Prompt and response tokens of one step in a second of each accelerator, generators included.
  double tokens_per_second_each(const RlRequest&) const;
  /// 90 % interval of these.
  Interval tokens_per_second_each() const;
};

struct RlAnswer {
  std::vector<RlPoint> points;
};

/// A division with the sides, the engines and the training plan of another one, on the request's
/// machine and stack. InputError if they do not suit that machine.
RlSplit moved_split(const RlRequest&, const RlSplit&);

/// Predicts the step and the run on one number of accelerators. InputError if it cannot run there.
RlPoint rl_point(const RlRequest&, int accelerators);

/// Predicts the step at every size. What is not stated is chosen for the shortest step: the ranks
/// of an engine and the accelerators that generate. InputError if no size can be answered.
RlAnswer rl_answer(const RlRequest&);

}  // namespace answers
}  // namespace tofn
