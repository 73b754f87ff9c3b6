#include "sim/answers/step_answer.hpp"

#include <fmt/format.h>

#include "sim/answers/idle_choices.hpp"
#include "sim/answers/run_batch.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Returns the accelerator with the least memory.
const Accelerator& smallest(const SimulatedStep& step) {
  const Accelerator& own = step.cluster.accelerator;
  if (!step.heterogeneous.mixed) return own;
  const Accelerator& other = step.heterogeneous.mixed->cluster.accelerator;
  return other.memory.value < own.memory.value ? other : own;
}

}  // namespace

namespace {

/// Batches that a size may take; of several the fastest is chosen.
std::vector<double> batches_of(const StepRequest& request, const StatedPlan& plan, int size) {
  if (request.near_batch) return batches_near(*request.near_batch, plan, size);
  if (request.batch) return {*request.batch};
  return {*request.replica_batch * size / plan.split.model_parallel_size()};
}

/// Plan of one size at the batch with the most samples a second, of those that fit if any does.
BestPlan plan_of_step(const StepRequest& request, const StatedPlan& plan, int size,
                      PlanSteps& known) {
  const auto at = [&](double batch) {
    return filled_plan(plan,
                       {.model = request.model,
                        .cluster = request.cluster,
                        .profile = request.profile,
                        .accelerators = size,
                        .global_batch = batch},
                       known);
  };
  const std::vector<double> batches = batches_of(request, plan, size);
  if (batches.size() == 1) return at(batches.front());
  std::optional<BestPlan> best;
  std::optional<InputError> mistake;
  const auto rate = [](const BestPlan& by) { return by.plan.global_batch() / by.time.base(); };
  for (const double batch : batches) try {
      const BestPlan by = at(batch);
      if (!best || by.fits > best->fits || (by.fits && rate(by) > rate(*best))) best = by;
    } catch (const InputError& error) {
      if (!mistake) mistake = error;
    }
  if (!best) throw *mistake;
  return *best;
}

}  // namespace

std::vector<SimulatedStep> step_answer(const StepRequest& request) {
  std::vector<SimulatedStep> steps;
  PlanSteps known(request.model, request.cluster, request.profile);
  const StatedPlan plan = request.replica_batch ? with_stated_replicas(request.plan) : request.plan;
  for (const int size : request.sizes) {
    const BestPlan by = plan_of_step(request, plan, size, known);
    steps.push_back(simulate_step(request.model, by.plan, request.cluster, request.profile,
                                  request.heterogeneous, request.seed));
    add_new(steps.back().substitutions, choice_words(plan, by));
    add_new(steps.back().substitutions, idle_switches(plan, steps.back(), request.profile));
    if (request.seed && simulate(steps.back().work).total == steps.back().times.total)
      add_new(steps.back().substitutions,
              {"--seed changes nothing here: no replica waits for a slower one"});
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
  return machine_power(step.cluster, placed_job(step.plan, step.cluster));
}

Joules energy_per_sample(const SimulatedStep& step) {
  return energy_of(step).total() / step.plan.global_batch();
}

std::string above_peak_words(double model_flops_utilisation) {
  if (model_flops_utilisation <= 1) return {};
  return fmt::format(
      "MFU is {:.1f} %, more than the peak allows: a figure of the accelerator or of the stack is "
      "off",
      100 * model_flops_utilisation);
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
