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

/// A step of a model, simulated from its dimensions.
struct StepRequest {
  const Model& model;
  const Cluster& cluster;
  const KernelProfile& profile;
  StatedPlan plan;
  std::vector<int> sizes;       ///< accelerators
  std::optional<double> batch;  ///< samples of a step; absent if one of the next two is set
  /// Each size takes the batch near this one, which its accelerators share evenly, with the most
  /// samples a second.
  std::optional<double> near_batch{};
  /// Samples per replica; tp, pp and cp are 1 unless they are stated.
  std::optional<double> replica_batch;
  HeterogeneousNodes heterogeneous;
  std::optional<std::uint64_t> seed;  ///< samples the slowest replica; absent: its mean
};

/// Simulates the step on every size with its `filled_plan`. InputError if the stated part of the
/// plan does not split one of them.
std::vector<SimulatedStep> step_answer(const StepRequest&);

/// A step compared with one that differs from it.
struct StepDifference {
  SimulatedStep other;
  std::vector<Change> changes;  ///< from one to the other; empty if the plans differ
};
StepDifference with_plan(const SimulatedStep&, const Plan&, const KernelProfile&);
/// Compares with another cluster, which replaces the whole job's but keeps the slow node, if any.
StepDifference with_cluster(const SimulatedStep&, const Cluster&, const KernelProfile&);

/// Power of the machine while the step runs.
MachinePower power_of(const SimulatedStep&);
Joules energy_per_sample(const SimulatedStep&);

/// Returns a warning if the utilisation is above 1; otherwise empty.
std::string above_peak_words(double model_flops_utilisation);

/// Returns the plan with the fewest changes that fits; absent if none was found.
std::optional<FittingPlan> nearest_plan_that_fits(const SimulatedStep&);

}  // namespace answers
}  // namespace tofn
