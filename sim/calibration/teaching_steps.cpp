#include "sim/calibration/teaching_steps.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "sim/calibration/fit_workloads.hpp"
#include "sim/calibration/related_steps.hpp"
#include "sim/core/statistics.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Steps that `is_of` accepts; all of them if it accepts none.
std::vector<StepCase> narrowed(std::vector<StepCase> steps,
                               const std::function<bool(const StepCase&)>& is_of) {
  std::vector<StepCase> chosen;
  std::ranges::copy_if(steps, std::back_inserter(chosen), is_of);
  return chosen.empty() ? steps : chosen;
}

Precision most_common_precision(const std::vector<StepCase>& steps) {
  std::map<Precision, int> counts;
  for (const StepCase& each : steps) ++counts[*each.plan.precision];
  return std::ranges::max_element(counts,
                                  [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

/// One step for each job, with the median time of its equals.
std::vector<StepCase> medians(const std::vector<StepCase>& steps) {
  std::map<std::string, std::vector<const StepCase*>> jobs;
  for (const StepCase& each : steps)
    jobs[each.cluster.accelerator.name + plan_words(each.plan)].push_back(&each);
  std::vector<StepCase> found;
  for (const auto& [job, equal] : jobs) {
    std::vector<double> seconds;
    for (const StepCase* each : equal) seconds.push_back(each->measured->base());
    found.push_back(*equal.front());
    found.back().measured = Seconds{median(seconds)};
  }
  return found;
}

}  // namespace

TeachingSteps::TeachingSteps(std::span<const Observation* const> observations) {
  for (const Observation* each : observations) {
    const Workload& workload = *each->run.workload;
    if (!each->step || !each->calibrates_step || !step_is_clean(*each)) continue;
    seen_.push_back({.model = workload.simulated->model,
                     .plan = simulated_plan(workload, each->run.plan, each->run.settings),
                     .cluster = *each->run.cluster,
                     .measured = *each->step});
  }
}

std::optional<LearnedKernels> TeachingSteps::learned_for(const RunDescription& run) const {
  const KernelProfile& stack = run.workload->simulated->kernels;
  const Accelerator& own = run.cluster->accelerator;
  std::vector<StepCase> steps;
  std::ranges::copy_if(seen_, std::back_inserter(steps), [&](const StepCase& each) {
    const Accelerator& other = each.cluster.accelerator;
    return other.name == own.name || share_architecture(other, own);
  });
  if (steps.empty() || stack.uncertainty.covariance.empty()) return {};
  steps = narrowed(std::move(steps),
                   [&](const StepCase& each) { return each.cluster.accelerator.name == own.name; });
  const Precision precision = run.settings.precision.value_or(most_common_precision(steps));
  steps = narrowed(std::move(steps),
                   [&](const StepCase& each) { return each.plan.precision == precision; });
  const std::string& first = steps.front().cluster.accelerator.name;
  const bool is_one = std::ranges::all_of(
      steps, [&](const StepCase& each) { return each.cluster.accelerator.name == first; });
  return LearnedKernels{
      .kernels = std::make_shared<const KernelProfile>(sharpened(stack, medians(steps))),
      .precision = precision,
      .accelerator = is_one ? first : "",
      .split_was_observed = std::ranges::any_of(
          steps, [&](const StepCase& each) { return split_of(each.plan) == split_of(run.plan); })};
}

}  // namespace calibration
}  // namespace tofn
