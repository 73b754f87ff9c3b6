#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/step_view.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/predict_options.hpp"
#include "sim/app/run_limits.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/calibration/choose_run.hpp"
#include "sim/calibration/own_steps.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/own_observations.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Options for the plan of a workload's run.
std::array<const AnyOption*, 3> split_options() {
  return {&plan_option(&Plan::tensor_parallel_size), &plan_option(&Plan::context_parallel_size),
          &option::gradient_accumulation};
}
bool are_given(const options::variables_map& values, std::span<const AnyOption* const> options) {
  return std::ranges::any_of(options,
                             [&](const AnyOption* option) { return option->is_given(values); });
}

/// Plan of `--plan`; absent if none is named. InputError if an option of `split_options` is given
/// as well.
std::optional<StatedPlan> named_plan(const options::variables_map& values,
                                     const CommonOptions& common) {
  const auto name = option::plan.of(values);
  if (!name) return {};
  for (const AnyOption* other : split_options())
    if (other->is_given(values))
      throw InputError({}, option::plan.flag(),
                       fmt::format("states the plan: leave {} out", other->flag()));
  return find_plan(common.configs, *name);
}

/// Settings and observations of the step profile of `--steps`; empty without one.
struct OwnProfile {
  RunSettings settings;
  std::vector<Observation> observations;
};

OwnProfile own_profile(const options::variables_map& values, Library& library,
                       const Workload& workload) {
  const auto file = option::steps.of(values);
  if (!file) return {};
  if (option::release.is_given(values))
    throw InputError({}, option::release.flag(), "is the step profile's: leave it out");
  const StepProfile profile = load_step_profile(*file);
  auto observations = own_observations(*file, profile, library);
  if (const Workload& own = *observations.front().run.workload; &own != &workload)
    throw InputError({.file = *file}, "workload",
                     fmt::format("the profile is of {}, not of {}", own.name, workload.name));
  return {.settings = profile.settings, .observations = std::move(observations)};
}

OpenDescription read_description(const options::variables_map& values,
                                 const std::optional<StatedPlan>& plan,
                                 const RunSettings& default_text, const Workload& workload,
                                 const Cluster& cluster) {
  OpenDescription open{
      .workload = &workload,
      .cluster = &cluster,
      .settings = plan ? plan->settings : default_text,
      .runs = option::runs.value(values),
      .tensor_parallel_size = plan_option(&Plan::tensor_parallel_size).of(values),
      .context_parallel_size = plan_option(&Plan::context_parallel_size).of(values),
      .gradient_accumulation = option::gradient_accumulation.of(values),
      .global_batch = option::batch.of(values),
      .replica_batch = option::replica_batch.as(values, whole<>)};
  if (open.global_batch && open.replica_batch)
    throw InputError({}, option::replica_batch.flag(), "says the batch: leave --batch out");
  open.settings.software_release = default_text.software_release;
  if (plan) {
    require_known_plan(workload, plan->split);
    if (workload.simulated) open.plan = plan->split;
    open.tensor_parallel_size = plan->split.tensor_parallel_size;
    open.context_parallel_size = plan->split.context_parallel_size;
    open.gradient_accumulation = plan->gradient_accumulation;
  }
  read_settings(values, open.settings);
  return open;
}

std::string plan_choice(const options::variables_map& values, const std::optional<StatedPlan>& plan,
                        const Workload& workload) {
  if (plan) return plan->name;
  const auto split = split_options();
  if (workload.simulated && !are_given(values, std::span(split).first(2)))
    return "the workload's own";
  return are_given(values, split) ? "as requested" : "chosen by tofn";
}

/// Writes the timeline of the step with the most accelerators. InputError if it was not predicted.
void write_step_trace(const std::string& file, const PredictAnswer& answer) {
  const RunPoint& point = answer.points.back();
  if (!point.estimate) throw InputError({file}, "", "the largest N was not predicted");
  std::ofstream out(file, std::ios::binary);
  if (out) write_trace(out, step_view(point).timeline);
  out.flush();
  if (!out) throw InputError({file}, "", "cannot be written");
}

CommandOptions step_of_workload_rows() {
  return joined({predict_rows(),
                 {{&option::trace, every_job, "file for the timeline, to be opened in Perfetto"}}});
}

/// Answers from measured runs: whole ones, or one step.
CommandAnswer answer_from_runs(const options::variables_map& values, bool is_one_step) {
  refuse_idle_options(values, step_of_workload_rows(), workload_predicted);
  const PredictTable table = option::predict_table.value(values);
  if (table == PredictTable::Phases)
    throw InputError({}, option::predict_table.flag(), "a workload has no phases");
  const CommonOptions common = read_common(values);
  const std::string workload_name = needed_job(values);
  const std::string cluster_name = needed_cluster(values);
  const auto plan = named_plan(values, common);
  Shipped shipped(common.configs);
  Library& library = shipped.library();
  const Workload& workload = library.workload_or_file(workload_name);
  const Cluster unpriced = requested_cluster(values, common, library, cluster_name);
  const auto prices = price_list_of(values, library);
  const Cluster cluster = prices ? priced(unpriced, *prices) : unpriced;
  const OwnProfile own = own_profile(values, library, workload);
  OpenDescription open = read_description(values, plan, own.settings, workload, cluster);
  const ExpenseOptions expenses = listed_expenses(read_expense_options(values), cluster, prices);
  const std::vector<RunLimit> limits = answerable_limits(values, cluster, expenses);
  if (!limits.empty() && workload.convergence.empty())
    throw InputError(
        {}, fmt::format("--{}", limits.front().name),
        fmt::format("changes nothing: {} has no target, so no time to train", workload.name));
  const auto counts = option::accelerators.of(values).value_or(
      std::vector<int>{cluster.accelerators_per_node.value});

  const Calibration calibration(with_own_steps(shipped.observations(), own.observations));
  check_efficiency(calibration);
  if (!own.observations.empty() && !own_steps_count(calibration, workload, cluster.accelerator))
    throw InputError({}, option::steps.flag(),
                     fmt::format("changes nothing: steps of {} published on {} calibrate the run",
                                 workload.name, cluster.accelerator.name));
  const bool states_release = !open.settings.software_release.empty();
  if (!states_release && own.observations.empty())
    open.settings.software_release = newest_release(calibration, workload, cluster.accelerator);
  const RunRequest request{
      .of = WorkloadRun{.open = open,
                        .calibration = calibration,
                        .release_choice = !own.observations.empty() ? "the step profile's"
                                          : states_release          ? "as requested"
                                                                    : "the newest calibrated",
                        .plan_choice = plan_choice(values, plan, workload),
                        .is_one_step = is_one_step},
      .expenses = expenses,
      .grid_intensity = grid_of(values),
      .limits = limits,
      .seed = option::seed.value(values)};
  const PredictAnswer answer = predict_answer(request, counts);
  if (const auto trace = option::trace.of(values)) write_step_trace(*trace, answer);
  return printed_run(values, table, answer,
                     requested_price_deviation(values, cluster, expenses, library));
}

}  // namespace

CommandAnswer predict_workload(const options::variables_map& values) {
  return answer_from_runs(values, false);
}

CommandLine step_of_workload_command_line() {
  const CommandOptions limits = limit_rows();
  const auto is_taken = [&](const CommandOption& row) {
    return (row.acts_on & workload_predicted) != 0 &&
           std::ranges::find(limits, row.option, &CommandOption::option) == limits.end();
  };
  CommandOptions taken = step_of_workload_rows();
  CommandOptions refused = taken;
  std::erase_if(taken, std::not_fn(is_taken));
  std::erase_if(refused, is_taken);
  return {"step WORKLOAD [CLUSTER] [OPTIONS]",
          "  tofn step bert dgx-h100 -N 64\n"
          "  tofn step lora dgx-h100 -N 512 --tp 4 --cp 2 --batch 64 --trace step.json\n\n"
          "A workload's step rests on measured runs, a model's on its dimensions (`tofn step "
          "--help`).\n",
          std::move(taken), "Options", std::move(refused)};
}

CommandAnswer step_of_workload(const options::variables_map& values) {
  refuse_of_whole_runs(values, limit_rows());
  return answer_from_runs(values, true);
}

}  // namespace app
}  // namespace tofn
