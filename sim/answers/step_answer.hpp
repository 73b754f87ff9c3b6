#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/load_plan.hpp"
#include "sim/expense/energy.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// A step of a model, by its dimensions.
struct StepRequest {
  const Model& model;
  const Cluster& cluster;
  const KernelProfile& profile;
  PlanFile plan;
  std::vector<int> sizes;       ///< accelerators
  std::optional<double> batch;  ///< samples of a step; absent: `replica_batch` says it
  /// Samples of a replica, whose tp, pp and cp are 1 where nobody states them.
  std::optional<double> replica_batch;
  HeterogeneousNodes heterogeneous;
  std::optional<std::uint64_t> seed;  ///< draws the slowest replica; absent: the expected one
};

/// The step on every size, by its `filled_plan`. InputError where what is stated of the plan does
/// not split one of them.
std::vector<SimulatedStep> step_answer(const StepRequest&);

/// A step beside one that differs from it.
struct StepDifference {
  SimulatedStep other;
  std::vector<Change> changes;  ///< that lead from one to the other; none where plans differ
};
StepDifference with_plan(const SimulatedStep&, const Plan&, const KernelProfile&);
/// The cluster stands for the whole job, with the slow node if there is one.
StepDifference with_cluster(const SimulatedStep&, const Cluster&, const KernelProfile&);

/// What draws power while it runs.
MachinePower power_of(const SimulatedStep&);
Joules energy_per_sample(const SimulatedStep&);

/// Says so where it is more than all of the peak; else empty.
std::string above_peak_words(double model_flops_utilisation);

/// Whether the memory of every stage's accelerator holds it.
bool fits(const SimulatedStep&);
/// The plan with the fewest changes that fits; absent where none was found.
std::optional<FittingPlan> nearest_plan_that_fits(const SimulatedStep&);

}  // namespace answers
}  // namespace tofn
