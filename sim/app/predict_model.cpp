#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/answers/model_run.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/app/predict_options.hpp"
#include "sim/app/run_limits.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/library.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Stack fitted to the measured steps, and the plan of the step of `--observed`.
struct MeasuredStack {
  KernelProfile profile;
  std::optional<Plan> observed{};
};

MeasuredStack measured_stack(const options::variables_map& values, const CommonOptions& common,
                             Library& library, const KernelProfile& stack, const StatedRun& run,
                             const Cluster& cluster, int accelerators) {
  const RunPhase& phase = run.phases.front();
  MeasuredStack known;
  known.profile = with_measured_steps(
      values, common.configs, library, stack, phase.model, cluster,
      [&](const KernelProfile& by, int size, double batch) {
        StatedRun one = run;
        one.phases = {measured_phase(run, size, batch)};
        one.phases.front().stretches = {{.batch = batch, .samples = batch}};
        one.has_default_batch = false;
        const RunPoint point = run_point({.of = ModelRun{.run = one,
                                                         .cluster = cluster,
                                                         .stack = by,
                                                         .space = option::search.value(values)}},
                                         size);
        known.observed = point.estimate->plan;
        return PlannedModel{one.phases.front().model, *known.observed};
      },
      run.has_default_batch ? 0 : phase.last_batch() / accelerators);
  return known;
}

}  // namespace

CommandAnswer predict_model(const options::variables_map& values) {
  refuse_idle_options(values, predict_rows(), model_predicted);
  const CommonOptions common = read_common(values);
  const PredictTable table = option::predict_table.value(values);
  Library library = Library::load(common.configs);
  const std::optional<Launched> launched = launched_of(values, common, library);
  const Launcher* const launcher = emitted_launcher(values);
  const KernelProfile stack =
      launched ? stack_of(values, common, *launched) : stack_of(values, common, needed_job(values));
  const StatedRun run = launched ? run_of(values, common, *launched, stack)
                                 : run_of(values, common, needed_job(values), stack);
  const auto prices = price_list_of(values, library);
  const Cluster cluster =
      as_requested(values,
                   with_requested_calibration(
                       values, common, library,
                       library.cluster(launched ? launched->cluster : needed_cluster(values))),
                   prices);
  const auto sizes = option::accelerators.of(values);
  const std::vector<int> counts = sizes ? *sizes
                                  : launched
                                      ? std::vector<int>{launched->training.plan.accelerators()}
                                      : std::vector<int>{cluster.accelerators_per_node.value};
  const MeasuredStack known =
      measured_stack(values, common, library, stack, run, cluster, counts.front());
  const bool holds_loss = option::same_loss.is_given(values);
  if (holds_loss && (run.is_one_step || !run.has_default_batch))
    throw InputError({}, option::same_loss.flag(),
                     "changes nothing: it is of a whole run whose batch is chosen");
  if (run.is_one_step && !limits_of(values).empty())
    throw InputError({}, fmt::format("--{}", limits_of(values).front().name),
                     "is of a whole run: say what it trains (--tokens or --samples)");
  if (run.is_one_step) say_unused_of_runs(values);
  const std::vector<RunLimit> limits = answerable_limits(
      values, cluster, listed_expenses(read_expense_options(values), cluster, prices));
  const RunRequest request{
      .of = ModelRun{.run = run,
                     .cluster = cluster,
                     .stack = known.profile,
                     .space = option::search.value(values),
                     .overrun = option::overrun.value(values),
                     .holds_loss = holds_loss,
                     .observed_plan = known.observed},
      .expenses = listed_expenses(read_expense_options(values), cluster, prices),
      .grid_intensity = grid_of(values),
      .limits = limits,
      .seed = option::seed.value(values)};
  const PredictAnswer answer = predict_answer(request, counts);
  CommandAnswer printed = printed_run(
      values, table, answer, requested_price_deviation(values, cluster, request.expenses, library));
  if (launcher != nullptr)
    add_launch_file({.launcher = launcher,
                     .run = run,
                     .subject = launched ? launched->training.model : needed_job(values),
                     .plan = only_point(answer.points, option::emit.flag()).estimate->plan,
                     .cluster = cluster},
                    common, printed);
  return printed;
}

}  // namespace app
}  // namespace tofn
