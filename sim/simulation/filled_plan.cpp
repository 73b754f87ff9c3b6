#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

bool fixes_passes(const StatedPlan& file) { return file.micro_batch || file.gradient_accumulation; }

}  // namespace

BestPlan filled_plan(const StatedPlan& file, PlanSearch search, PlanSteps& steps) {
  if (file.is_whole && fixes_passes(file)) {
    const Plan plan = plan_on(file, search.accelerators, search.global_batch);
    const StepWork work = step_work(search.model, plan, search.cluster, search.profile);
    return {.plan = plan, .fits = true, .time = simulate(work).total};
  }
  search.request = file.split;
  if (file.micro_batch) search.request.micro_batch = *file.micro_batch;
  if (file.gradient_accumulation)
    search.request.gradient_accumulation = *file.gradient_accumulation;
  search.is_fixed = [&](std::string_view name) { return file.fixes(name); };
  return best_plan(search, steps);
}

BestPlan filled_plan(const StatedPlan& file, const PlanSearch& search) {
  PlanSteps steps(search.model, search.cluster, search.profile);
  return filled_plan(file, search, steps);
}

std::vector<std::string_view> chosen_rows(const Plan& plan, const Model& model) {
  std::vector<std::string_view> rows{"tp", "cp", "pp", "recompute", "sharded"};
  if (plan.pipeline_parallel_size > 1) rows.emplace_back("chunks");
  if (plan.tensor_parallel_size > 1) rows.emplace_back("sequence_parallel");
  if (has_experts(model)) rows.emplace_back("ep");
  return rows;
}

bool leaves_open(const StatedPlan& file, const Model& model) {
  return !fixes_passes(file) ||
         std::ranges::any_of(chosen_rows(file.split, model),
                             [&](std::string_view row) { return !file.fixes(row); });
}

StatedPlan with_stated_replicas(StatedPlan file) {
  for (const std::string_view row : {"tp", "pp", "cp"})
    if (!file.fixes(row)) file.stated.emplace_back(row);
  return file;
}

}  // namespace simulation
}  // namespace tofn
