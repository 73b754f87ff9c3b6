#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "sim/answers/run_batch.hpp"
#include "sim/answers/step_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/requested_step.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/say_idle.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/step_report.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/timeline/timeline.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr Text explain{
    {.name = "explain",
     .help = "a name of `tofn list plans` or `clusters`: what it would change, part by part",
     .is_for_pages = false}};
}  // namespace option

namespace {

/// True if the name or file is that of a plan. Files of clusters are recognised by their key
/// `node`, and names of plans go before those of clusters.
bool is_plan(const CommonOptions& common, const std::string& name) {
  if (is_file_name(name)) {
    const auto entries = YamlNode::load(name).entries();
    return std::ranges::none_of(entries, [](const auto& entry) { return entry.first == "node"; });
  }
  const auto files = files_in(common.configs, "plans");
  return std::ranges::any_of(files, [&](const auto& file) { return file.stem() == name; });
}

/// Explains the difference to another plan or cluster; absent if none was requested.
std::optional<std::string> explained(const options::variables_map& values,
                                     const CommonOptions& common, Library& library,
                                     const SimulatedStep& step, const KernelProfile& profile) {
  const auto name = option::explain.of(values);
  if (!name) return std::nullopt;
  StepDifference difference;
  if (is_plan(common, *name)) {
    Plan plan = plan_on(find_plan(common.configs, *name), step.plan.accelerators(),
                        step.plan.global_batch());
    if (const auto given = plan_option(&Plan::precision).of(values)) plan.precision = given;
    difference = with_plan(step, plan, profile);
  } else {
    difference = with_cluster(step, library.cluster(*name), profile);
  }
  return step_difference_text(step, difference.other, difference.changes);
}

std::string next_text(const std::vector<SimulatedStep>& steps) {
  if (steps.size() > 1)
    return listed_note("next", {"one -N for its parts and memory", "--details for the plans"});
  const int accelerators = steps.front().plan.accelerators();
  return listed_note("next", {fmt::format("-N {}..{}", accelerators, 8 * accelerators),
                              "--explain CLUSTER to compare with one", "--trace step.json",
                              "--details", "tofn predict --tokens 1T"});
}

void write_step_trace(const std::string& file, const SimulatedStep& step) {
  std::ofstream out(file, std::ios::binary);
  if (out) write_trace(out, record_timeline(step.work));
  out.flush();
  if (!out) throw InputError({file}, "", "cannot be written");
}

}  // namespace

CommandOptions simulation_rows() {
  constexpr Jobs simulated = every_job & ~(steps_of_table | steps_of_records);
  constexpr Jobs unmeasured = simulated & ~step_checked;
  return joined({{{.option = &option::model, .acts_on = simulated, .words = 1},
                  {.option = &option::cluster, .acts_on = simulated, .words = 1},
                  {&option::accelerators, simulated | steps_of_records,
                   "accelerators, e.g. 64, or 8,64,512, or 8..512 (default: one node)"},
                  {&option::batch, simulated, "global batch in samples"},
                  {&option::replica_batch, unmeasured,
                   "samples per replica and step: the batch grows with N"},
                  {&option::calibration, simulated | steps_of_records},
                  {&option::seed, unmeasured,
                   "seed that chooses the slowest replica (default: the expected one)"},
                  {&option::trace, unmeasured},
                  {&option::explain, unmeasured}},
                 model_rows(),
                 measured_rows(),
                 {facility_row()},
                 heterogeneous_rows(),
                 {what_if_row()},
                 plan_rows(),
                 {launch_file_row(), emit_row()}});
}

CommandAnswer simulate_model(const options::variables_map& values, const CommonOptions& common) {
  Library library = Library::load(common.configs);
  const std::optional<Launched> launched = launched_of(values, common, library);
  const Launcher* const launcher = emitted_launcher(values);
  const RequestedStep step = requested_step(values, common, launched);
  const Model& model = step.model;
  const StatedPlan& file = step.plan;
  Cluster cluster = requested_cluster(values, common, library, step.cluster);
  if (const auto factor = facility_factor_of(values))
    cluster.power.facility_factor = {*factor, "stated"};
  const auto request = option::accelerators.of(values);
  const auto counts = request    ? *request
                      : launched ? std::vector{launched->training.plan.accelerators()}
                                 : std::vector{cluster.accelerators_per_node.value};
  if (launcher != nullptr) only_point(counts, option::emit.flag());
  auto batch = option::batch.of(values);
  const auto per_replica = option::replica_batch.of(values);
  if (launched && !batch && !per_replica)
    batch = static_cast<int>(launched->training.plan.global_batch());
  const bool has_default_batch = !batch && !per_replica && model.sequence_length > 0;
  const double near_batch =
      has_default_batch ? batch_samples(default_batch_tokens, model.sequence_length) : 0;
  if (!has_default_batch && batch.has_value() == per_replica.has_value())
    throw InputError({}, option::batch.flag(),
                     "is needed, or --replica-batch, and only one of them");
  const double samples_each =
      has_default_batch ? batches_near(near_batch, file, counts.front()).front() / counts.front()
      : batch           ? 1.0 * *batch / counts.front()
                        : 1.0 * *per_replica / file.split.model_parallel_size();
  const StatedPlan stated = per_replica ? with_stated_replicas(file) : file;
  const KernelProfile profile = with_measured_steps(
      values, common.configs, library, step.stack, model, cluster,
      [&](const KernelProfile& by, int accelerators, double samples) {
        return PlannedModel{model, filled_plan(stated, {.model = model,
                                                        .cluster = cluster,
                                                        .profile = by,
                                                        .accelerators = accelerators,
                                                        .global_batch = samples})
                                       .plan};
      },
      samples_each);
  const HeterogeneousNodes heterogeneous = heterogeneous_nodes_of(
      values,
      [&](const std::string& name) { return requested_cluster(values, common, library, name); });
  const auto seed = option::seed.of(values);
  auto steps =
      step_answer({.model = model,
                   .cluster = cluster,
                   .profile = profile,
                   .plan = file,
                   .sizes = counts,
                   .batch = batch,
                   .near_batch = has_default_batch ? std::optional(near_batch) : std::nullopt,
                   .replica_batch = per_replica,
                   .heterogeneous = heterogeneous,
                   .seed = seed});
  if (has_default_batch)
    for (SimulatedStep& each : steps)
      each.substitutions.emplace_back("the batch (--batch, --replica-batch)");
  if (const auto trace = option::trace.of(values)) write_step_trace(*trace, steps.back());
  say_idle(steps);
  const SimulatedStep& last = steps.back();
  AnswerText text = steps.size() > 1 ? step_table_text(steps) : step_text(last);
  if (const auto difference = explained(values, common, library, last, profile))
    text = {.screen = *difference, .details = text.screen + '\n' + text.details};
  const bool all_fit = std::ranges::all_of(steps, [](const auto& each) { return fits(each); });
  CommandAnswer answer{.text = text.screen + measured_model_text(library.workloads_of(model.name)) +
                               next_text(steps),
                       .details = text.details,
                       .records = step_records(steps),
                       .exit_code = all_fit ? 0 : 1};
  const StatedRun run{.phases = {{.model = model}}, .is_one_step = true};
  add_launch_file({.launcher = launcher,
                   .run = run,
                   .subject = step.subject,
                   .plan = last.plan,
                   .cluster = cluster},
                  common, answer);
  return answer;
}

}  // namespace app
}  // namespace tofn
