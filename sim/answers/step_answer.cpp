#include "sim/answers/step_answer.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "sim/answers/idle_choices.hpp"
#include "sim/core/error.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/timeline/timeline.hpp"

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

bool holds(const Model& model, const Plan& plan, const Cluster& cluster,
           const KernelProfile& profile) {
  const auto layers = layer_work(model, computed_plan(plan, model, cluster.accelerator));
  return fits(largest_footprint(layers, plan, memory_profile(model, plan, cluster, profile)),
              cluster.accelerator);
}

/// The plan with so many samples a pass; absent: its replicas do not divide the batch.
std::optional<Plan> with_samples_a_pass(PlanFile file, int accelerators, double batch,
                                        int samples) {
  file.micro_batch = samples;
  try {
    return plan_on(file, accelerators, batch);
  } catch (const InputError&) {
    return {};
  }
}

/// The samples of a replica in passes that nobody stated: one each where the plan has stages, of
/// which several would leave some idle; else the most that fit the memory, and where none do, the
/// fewest.
StepPlan with_unstated_passes(const Model& model, const Cluster& cluster,
                              const KernelProfile& profile, const PlanFile& file, int accelerators,
                              double batch) {
  constexpr std::string_view unstated = "no micro-batch is stated: ";
  if (file.split.pipeline_parallel_size > 1)
    if (const auto plan = with_samples_a_pass(file, accelerators, batch, 1))
      return {.plan = *plan, .chosen = {fmt::format("{}one sample a pass", unstated)}};
  const Plan whole = plan_on(file, accelerators, batch);
  if (whole.micro_batch <= 1) return {.plan = whole};
  std::optional<Plan> smallest;
  if (!holds(model, whole, cluster, profile))
    for (int passes = 2; passes <= whole.micro_batch; ++passes) {
      const double samples = whole.micro_batch / passes;
      if (samples != std::floor(samples)) continue;
      const auto plan = with_samples_a_pass(file, accelerators, batch, static_cast<int>(samples));
      if (!plan) continue;
      smallest = plan;
      if (holds(model, *plan, cluster, profile))
        return {.plan = *plan,
                .chosen = {fmt::format("{}{} of a replica's {} samples a pass, the most that fit",
                                       unstated, samples, whole.micro_batch)}};
    }
  if (smallest)
    return {.plan = *smallest,
            .chosen = {fmt::format("{}{} of a replica's {} samples a pass, the nearest to fitting",
                                   unstated, smallest->micro_batch, whole.micro_batch)}};
  return {.plan = whole,
          .chosen = {fmt::format("{}a replica's {:.6g} samples in one pass", unstated,
                                 whole.micro_batch)}};
}

}  // namespace

StepPlan step_plan(const Model& model, const Cluster& cluster, const KernelProfile& profile,
                   const PlanFile& file, int accelerators, double batch) {
  const bool has_passes = file.micro_batch || file.gradient_accumulation;
  const bool is_free = !file.is_whole && file.stated.empty() && !has_passes;
  std::optional<StepPlan> stated;
  try {
    if (has_passes)
      stated = {.plan = plan_on(file, accelerators, batch)};
    else
      stated = with_unstated_passes(model, cluster, profile, file, accelerators, batch);
  } catch (const InputError&) {
    if (!is_free) throw;
  }
  if (stated && (!is_free || holds(model, stated->plan, cluster, profile))) return *stated;
  const BestPlan best = best_plan({.model = model,
                                   .cluster = cluster,
                                   .profile = profile,
                                   .accelerators = accelerators,
                                   .global_batch = batch,
                                   .asked = file.split,
                                   .is_fixed = [](auto) { return false; }});
  if (!best.fits && stated) return *stated;
  return {.plan = best.plan,
          .chosen = {fmt::format(
              "no plan is stated, and replicas alone {}: the {} is taken (--tp, --pp, --sharded, "
              "... state another)",
              stated ? "do not fit the memory" : "are more than a batch has samples",
              best.fits ? "shortest step that fits" : "plan that misses the memory by least")}};
}

std::vector<SimulatedStep> step_answer(const StepRequest& asked) {
  std::vector<SimulatedStep> steps;
  for (const int size : asked.sizes) {
    const double replicas = 1.0 * size / asked.plan.split.model_parallel_size();
    const double batch = asked.batch ? *asked.batch : *asked.replica_batch * replicas;
    const StepPlan by =
        step_plan(asked.model, asked.cluster, asked.profile, asked.plan, size, batch);
    steps.push_back(simulate_step(asked.model, by.plan, asked.cluster, asked.profile,
                                  asked.heterogeneous, asked.seed));
    add_new(steps.back().substitutions, by.chosen);
    add_new(steps.back().substitutions, idle_choices(asked.plan, by.plan));
    if (asked.seed && simulate(steps.back().work).total == steps.back().times.total)
      add_new(steps.back().substitutions,
              {"--seed draws nothing here: no replica waits for a slower one"});
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
