#include "sim/answers/step_answer.hpp"

#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/step_energy.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// The accelerator with the least memory.
const Accelerator& smallest(const SimulatedStep& step) {
  const Accelerator& own = step.cluster.accelerator;
  if (!step.heterogeneous.mixed) return own;
  const Accelerator& other = step.heterogeneous.mixed->cluster.accelerator;
  return other.memory.value < own.memory.value ? other : own;
}

}  // namespace

std::vector<SimulatedStep> step_answer(const StepRequest& asked) {
  std::vector<SimulatedStep> steps;
  for (const int size : asked.sizes) {
    const double replicas = 1.0 * size / asked.plan.split.model_parallel_size();
    const double batch = asked.batch ? *asked.batch : *asked.replica_batch * replicas;
    steps.push_back(simulate_step(asked.model, plan_on(asked.plan, size, batch), asked.cluster,
                                  asked.profile, asked.heterogeneous, asked.seed));
  }
  return steps;
}

StepDifference with_plan(const SimulatedStep& step, const Plan& plan,
                         const KernelProfile& profile) {
  return {.other =
              simulate_step(step.model, plan, step.cluster, profile, step.heterogeneous, step.seed),
          .changes = {}};
}

StepDifference with_cluster(const SimulatedStep& step, const Cluster& cluster,
                            const KernelProfile& profile) {
  const SimulatedStep other = simulate_step(step.model, step.plan, cluster, profile,
                                            {.slow = step.heterogeneous.slow}, step.seed);
  return {.other = other, .changes = changes_between(step, other, profile)};
}

MachinePower power_of(const SimulatedStep& step) {
  return machine_power(step.cluster, step.plan.accelerators());
}

Joules energy_per_sample(const SimulatedStep& step) {
  return energy_of(step).total() / step.plan.global_batch();
}

bool fits(const SimulatedStep& step) {
  const std::size_t tightest = step.tightest();
  return fits(step.memory[tightest], step.holder(tightest));
}

std::optional<FittingPlan> nearest_plan_that_fits(const SimulatedStep& step) {
  return nearest_plan_that_fits(
      step.plan,
      [&](const Plan& plan) {
        return layer_work(step.model, computed_plan(plan, step.model, step.cluster.accelerator));
      },
      smallest(step), step.memory_profile);
}

}  // namespace answers
}  // namespace tofn
