#include "sim/simulation/filled_plan.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

constexpr std::array<std::string_view, 3> of_replicas{"tp", "pp", "cp"};

bool fixes_passes(const StatedPlan& file) { return file.micro_batch || file.gradient_accumulation; }

bool has_experts_to_split(const Model& model) {
  const auto parts = layer_traits(model);
  return std::ranges::any_of(parts, [](const PartTraits& part) { return part.experts > 1; });
}

}  // namespace

BestPlan filled_plan(const StatedJob& job, PlanSteps& steps) {
  const StatedPlan& file = job.plan;
  if (file.is_whole && fixes_passes(file)) {
    const Plan plan = plan_on(file, job.accelerators, job.batch);
    const StepWork work = step_work(job.model, plan, job.cluster, job.profile);
    return {.plan = plan, .fits = true, .time = simulate(work).total};
  }
  Plan split = file.split;
  if (file.micro_batch) split.micro_batch = *file.micro_batch;
  if (file.gradient_accumulation) split.gradient_accumulation = *file.gradient_accumulation;
  return best_plan({.model = job.model,
                    .cluster = job.cluster,
                    .profile = job.profile,
                    .accelerators = job.accelerators,
                    .global_batch = job.batch,
                    .request = split,
                    .is_fixed = [&](auto name) { return file.fixes(name); },
                    .space = job.space,
                    .to_beat = job.to_beat,
                    .rank = job.rank},
                   steps);
}

BestPlan filled_plan(const StatedJob& job) {
  PlanSteps steps(job.model, job.cluster, job.profile);
  return filled_plan(job, steps);
}

bool leaves_open(const StatedPlan& file, const Model& model) {
  if (!fixes_passes(file)) return true;
  for (const std::string_view row : {"tp", "pp", "cp", "sharded", "recompute"})
    if (!file.fixes(row)) return true;
  return (file.split.pipeline_parallel_size > 1 && !file.fixes("chunks")) ||
         (file.split.tensor_parallel_size > 1 && !file.fixes("sequence_parallel")) ||
         (!file.fixes("ep") && has_experts_to_split(model));
}

StatedPlan with_stated_replicas(StatedPlan file) {
  for (const std::string_view row : of_replicas)
    if (!file.fixes(row)) file.stated.emplace_back(row);
  return file;
}

}  // namespace simulation
}  // namespace tofn
