#include <algorithm>

#include <fmt/format.h>

#include "sim/answers/quote_answer.hpp"
#include "sim/answers/run_batch.hpp"
#include "sim/answers/scale_answer.hpp"
#include "sim/answers/scale_subject.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/predict_options.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/say_idle.hpp"
#include "sim/app/scale_options.hpp"
#include "sim/app/subject.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/load_quote.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/quote_report.hpp"
#include "sim/report/scale_report.hpp"

namespace tofn {
inline namespace app {
namespace {

ScaleAnswer predicted(const options::variables_map& values, const CommonOptions& common,
                      Shipped& shipped, const Workload& workload) {
  refuse_idle_options(values, scale_rows(), workload_scaled);
  const auto prices = price_list_of(values, shipped.library());
  const Cluster unpriced =
      requested_cluster(values, common, shipped.library(), needed_cluster(values));
  const Cluster cluster = prices ? priced(unpriced, *prices) : unpriced;
  ScaleRequest request = read_scale_request(values);
  request.sizes = scale_sizes(values, cluster, 1);
  const Calibration& calibration = shipped.calibration();
  OpenDescription open{
      .workload = &workload,
      .cluster = &cluster,
      .tensor_parallel_size = plan_option(&Plan::tensor_parallel_size).of(values),
      .context_parallel_size = plan_option(&Plan::context_parallel_size).of(values),
      .gradient_accumulation = option::gradient_accumulation.of(values)};
  open.settings.software_release = option::release.of(values).value_or(
      newest_release(calibration, workload, cluster.accelerator));
  return scale_answer({.of = WorkloadRun{.open = std::move(open), .calibration = calibration},
                       .expenses = listed_expenses(read_expense_options(values), cluster, prices),
                       .grid_intensity = grid_of(values),
                       .seed = request.seed},
                      request, shipped.observations());
}

ScaleAnswer simulated(const options::variables_map& values, const CommonOptions& common,
                      Library& library, const std::string& subject) {
  refuse_idle_options(values, scale_rows(), model_scaled);
  const KernelProfile stack = stack_of(values, common, subject);
  const auto prices = price_list_of(values, library);
  const Cluster unpriced = requested_cluster(values, common, library, needed_cluster(values));
  const Cluster cluster = prices ? priced(unpriced, *prices) : unpriced;
  const StatedRun run = run_of(values, common, subject, stack);
  if (run.is_one_step) say_unused_of_runs(values);
  ScaleRequest request = read_scale_request(values);
  // A run without a critical batch keeps its batch, because nothing says what another would take.
  const bool holds_batch = !run.has_default_batch && !names_run(common.configs, subject);
  if (request.replica_batch && !run.has_default_batch)
    throw InputError({}, option::replica_batch.flag(), "says the batch: leave the other out");
  if (!request.replica_batch && (holds_batch || !critical_batch(run)))
    request.batch = run.phases.back().last_batch();
  request.sizes = scale_sizes(values, cluster, run.phases.front().plan.split.model_parallel_size());
  return scale_answer({.of = ModelRun{.run = run,
                                      .cluster = cluster,
                                      .stack = stack,
                                      .overrun = option::overrun.value(values)},
                       .expenses = listed_expenses(read_expense_options(values), cluster, prices),
                       .grid_intensity = grid_of(values),
                       .seed = request.seed},
                      request);
}

ScaleAnswer published(const options::variables_map& values, const CommonOptions& common,
                      const Library& library, const Workload& workload) {
  refuse_idle_options(values, scale_rows(), of_published_times);
  const std::filesystem::path table =
      option::published.of(values).value_or(default_published_table(common.configs).string());
  return published_scale_answer(
      {.table = table, .workload = workload, .accelerator = option::published_on.value(values)},
      library, read_scale_request(values));
}

ScaleAnswer answer_of(const options::variables_map& values, const CommonOptions& common) {
  if (const auto file = option::series.of(values)) {
    if (option::job.is_given(values))
      throw InputError({}, option::series.flag(), "holds the times: leave the job out");
    refuse_idle_options(values, scale_rows(), series_answer);
    Series series = read_series(*file);
    for (const std::string& remark : series.remarks) say(remark);
    ScaleAnswer answer = scale_answer(std::move(series.points), read_scale_request(values));
    answer.name = *file;
    answer.time_name = "given times";
    return answer;
  }
  const auto name = option::job.of(values);
  if (!name)
    throw InputError(
        "which job? for example: tofn scale bert dgx-h100; `tofn list workloads` and "
        "`tofn list models` show all");
  Shipped shipped(common.configs);
  Library& library = shipped.library();
  const Subject subject = subject_of(*name, common.configs);
  if ((subject.is_run || subject.is_model) && !subject.is_workload)
    return simulated(values, common, library, *name);
  const Workload& workload = library.workload_or_file(*name);
  return option::published_on.is_given(values) ? published(values, common, library, workload)
                                               : predicted(values, common, shipped, workload);
}

CommandAnswer run_quotes(const options::variables_map& values, const CommonOptions& common) {
  if (option::job.is_given(values))
    throw InputError({}, option::quotes.flag(), "name their jobs themselves: leave the job out");
  refuse_idle_options(values, scale_rows(), quote_answer);
  const std::string requested = option::quotes.value(values);
  const auto quotes =
      load_quotes(requested.empty() ? common.configs / "quotes" : std::filesystem::path(requested));
  Library library = Library::load(common.configs);
  const auto simulated =
      simulate_quotes(quotes, library, common.configs,
                      found_stack(values, common.configs, option::stack.value(values)));
  return {.text = quote_text(simulated), .records = quote_records(simulated)};
}

bool states_prices(const options::variables_map& values) {
  return option::price.is_given(values) || option::prices.is_given(values) ||
         option::price_term.is_given(values);
}

}  // namespace

CommandAnswer run_scale(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  if (option::quotes.is_given(values)) return run_quotes(values, common);
  const ScaleTable table = option::scale_table.value(values);
  say_if_idle(option::scale_table, values, common);
  ScaleAnswer answer = answer_of(values, common);
  answer.is_of_money = states_prices(values);
  if (answer.main) say_idle(answer.main->points);
  return command_answer(scale_text(answer), are_rows_taken(common) ? table(answer) : Records{},
                        fits_nowhere(answer) ? 1 : 0);
}

}  // namespace app
}  // namespace tofn
