#include <fmt/format.h>

#include "sim/answers/sensitivity_answer.hpp"
#include "sim/answers/step_view.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/app/predict_options.hpp"
#include "sim/app/rl_options.hpp"
#include "sim/app/run_limits.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/say_idle.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/subject.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/next_measurement_report.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/run_records.hpp"
#include "sim/report/sensitivity_report.hpp"
#include "sim/report/step_view_report.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr const char* predict_examples =
    "  tofn predict bert dgx-h100 -N 64\n"
    "  tofn predict stable_diffusion azure-nd-h200-v5 -N 8..1024 --sharp on --format csv -o "
    "sd.csv\n"
    "  tofn predict lora dgx-h100 -N 512 --tp 4 --cp 2 --batch 64 --release 24.04\n"
    "  tofn predict my-task.yaml my-cluster.yaml --steps my-node.yaml -N 8..512 --replica-batch 4\n"
    "  tofn predict llama3-70b dgx-h100 -N 256 --tokens 2T\n"
    "  tofn predict llama3-405b dgx-h100 -N 16384 --tokens 15.6T --batch-tokens 16M --tp 8 --pp "
    "16\n"
    "  tofn predict mixtral-8x7b dgx-b200 -N 64..1024 --tokens 1T --price 3.5\n"
    "  tofn predict bloom-176b-training dgx-a100 -N 384\n"
    "  tofn predict llama3-8b dgx-h100 -N 16 --rl grpo --prompts 64 --generations 32 "
    "--response-length 1060 --max-length 4096 --updates 4\n"
    "  tofn predict --from run.sh dgx-h100 -N 512\n\n"
    "Chosen where you say nothing: one node. Of a model the plan with the shortest step that fits "
    "the\n"
    "memory, and the batch that reaches the same loss soonest. Of a workload tp 4 or what one-node "
    "runs\n"
    "on the accelerator had, with the least cp and then the soonest end; cp doubled while "
    "replicas\n"
    "outnumber samples; the batch of known convergence that trains soonest with passes no larger "
    "than\n"
    "calibration saw and the least accumulation.\n";

}  // namespace

CommandOptions predict_rows() {
  constexpr Jobs both = workload_predicted | model_predicted;
  return joined({{{.option = &option::job, .words = 1},
                  {.option = &option::cluster, .words = 1},
                  {&option::accelerators, both | rl_predicted,
                   "e.g. 256, or 64,512, or 64..1024 (default: one node)"},
                  {&option::replica_batch, workload_predicted | replaced_in_rl,
                   "samples per replica and step of a workload: the batch grows with N"},
                  {&option::calibration, both},
                  {&option::sensitivity, both | rl_predicted},
                  {&option::next_measurement, both | rl_predicted},
                  {&option::measurement_of, both},
                  {&option::predict_table, both},
                  {&option::same_loss, model_predicted | replaced_in_rl},
                  {&option::release, workload_predicted},
                  {&option::runs, workload_predicted},
                  {&option::seed, both, "seed of the samples that ranges are made of", "1"}},
                 limit_rows(),
                 run_rows(),
                 search_rows("usual"),
                 measured_rows(),
                 {launch_file_row(), emit_row()}});
}

CommandLine predict_command_line() {
  return {"predict WORKLOAD|MODEL|RUN CLUSTER [OPTIONS]", predict_examples,
          joined({predict_rows(), rl_rows()})};
}

namespace {

/// Rows of a table. InputError if it is of a step, and there are several points.
Records table_of(PredictTable table, const PredictAnswer& answer) {
  if (table == PredictTable::Points) return run_records(answer);
  if (table == PredictTable::Phases) return phase_records(answer);
  if (answer.points.size() != 1)
    throw InputError({}, option::predict_table.flag(),
                     "of a step is of one number of accelerators (-N)");
  const StepView view = step_view(answer.points.front());
  if (table == PredictTable::Stages) return stage_records(view);
  return table == PredictTable::Passes ? pass_records(view) : span_records(view);
}

}  // namespace

CommandAnswer printed_run(const options::variables_map& values, PredictTable table,
                          const PredictAnswer& answer, double price_deviation) {
  say_idle(answer.points);
  CommandAnswer printed = command_answer(
      predict_text(answer), {},
      all_fit(answer.points) && may_keep(answer.points, answer.request.limits) ? 0 : 1);
  if (!add_uncertainty(values, answer.points, answer.request.kernels(), price_deviation, printed) &&
      (table != PredictTable::Points || are_rows_taken(read_common(values))))
    printed.records = table_of(table, answer);
  return printed;
}

bool add_uncertainty(const options::variables_map& values, const std::vector<RunPoint>& points,
                     const KernelProfile& stack, double price_deviation, CommandAnswer& answer) {
  const auto only = [&](const AnyOption& option) -> const RunEstimate& {
    return *only_point(points, option.flag()).estimate;
  };
  if (option::sensitivity.is_given(values)) {
    const Sensitivity found = sensitivity_of(only(option::sensitivity), stack);
    answer.text += sensitivity_text(found);
    answer.records = sensitivity_records(found);
    return true;
  }
  if (!option::next_measurement.is_given(values)) return false;
  TimeUncertainties found =
      uncertainties_of(only(option::next_measurement), stack, price_deviation);
  found.next = narrowing(std::move(found.next), found.deviation);
  answer.text += next_measurement_text(found);
  answer.records = next_measurement_records(found);
  return true;
}

std::string needed_job(const options::variables_map& values) {
  if (const auto name = option::job.of(values)) return *name;
  throw InputError(
      "which job? for example: tofn predict bert dgx-h100; `tofn list workloads`, `models` and "
      "`runs` show all");
}

std::string needed_cluster(const options::variables_map& values) {
  if (const auto name = option::cluster.of(values)) return *name;
  throw InputError("which cluster? for example: dgx-h100; `tofn list clusters` shows all");
}

double requested_price_deviation(const options::variables_map& values, const Cluster& cluster,
                                 const ExpenseOptions& expenses, const Library& library) {
  if (!option::next_measurement.is_given(values) && option::measurement_of.is_given(values))
    throw InputError({}, option::measurement_of.flag(),
                     fmt::format("changes nothing without {}", option::next_measurement.flag()));
  if (!option::measurement_of.value(values)) return 0;
  if (!choose_price(cluster, expenses))
    throw InputError({}, option::measurement_of.flag(), unpriced_words(cluster, expenses));
  std::vector<const Cluster*> all;
  for (const Cluster& each : library.clusters()) all.push_back(&each);
  return price_deviation(cluster, expenses, all);
}

CommandAnswer run_predict(const options::variables_map& values) {
  refuse_two_tables(values);
  if (is_of_rl(values, option::job.of(values))) return predict_rl(values);
  refuse_rl_options(values);
  if (option::launch_files.is_given(values)) return predict_model(values);
  const Subject subject = subject_of(needed_job(values), read_common(values).configs);
  const bool is_of_model = (subject.is_run || subject.is_model) && !subject.is_workload;
  return is_of_model ? predict_model(values) : predict_workload(values);
}

}  // namespace app
}  // namespace tofn
