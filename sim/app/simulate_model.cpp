#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "sim/answers/run_batch.hpp"
#include "sim/answers/step_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/say_idle.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/filled_plan.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/options/option_values.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/step_report.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace app {
namespace {

std::string needed_of_model(const options::variables_map& values, const char* name,
                            const char* example) {
  if (const auto text = text_option(values, name)) return *text;
  throw InputError({}, name, fmt::format("is needed, e.g. `tofn step {}`", example));
}

Cluster cluster_named(const options::variables_map& values, const CommonOptions& common,
                      Library& library, const std::string& name) {
  Cluster cluster = with_asked_figures(values, library.cluster(name));
  const auto calibration = text_option(values, "calibration");
  if (!calibration) return cluster;
  return measured_cluster(cluster, library, common.configs, *calibration);
}

/// A file of a cluster describes a node; of names, those of plans come first.
bool is_plan(const CommonOptions& common, const std::string& name) {
  if (is_file_name(name)) {
    const auto entries = YamlNode::load(name).entries();
    return std::none_of(entries.begin(), entries.end(),
                        [](const auto& entry) { return entry.first == "node"; });
  }
  const auto files = files_in(common.configs, "plans");
  return std::any_of(files.begin(), files.end(),
                     [&](const auto& file) { return file.stem() == name; });
}

/// Where the difference to another plan or cluster comes from; absent where none was requested.
std::optional<std::string> explained(const options::variables_map& values,
                                     const CommonOptions& common, Library& library,
                                     const SimulatedStep& step, const KernelProfile& profile) {
  const auto name = text_option(values, "explain");
  if (!name) return std::nullopt;
  StepDifference difference;
  if (is_plan(common, *name)) {
    Plan plan = plan_on(find_plan(common.configs, *name), step.plan.accelerators(),
                        step.plan.global_batch());
    if (const auto given = choice_option(values, "precision", precision_names))
      plan.precision = given;
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

/// What takes the step: a model by its name or file, or what launch files train.
struct AskedStep {
  std::string subject{};  ///< the model's name or file; empty where launch files describe it
  KernelProfile stack{};
  Model model{};
  PlanFile plan{};
  std::string cluster{};
};

AskedStep asked_by_name(const options::variables_map& values, const CommonOptions& common) {
  constexpr const char* example = "llama3-8b dgx-h100 -N 8 --batch 64";
  AskedStep asked{.subject = needed_of_model(values, "model", example)};
  asked.stack = stack_of(values, common, asked.subject);
  asked.model =
      as_run_by(asked.stack.framework_defaults, asked_model(values, common.configs, asked.subject));
  asked.plan = plan_of(values, common.configs, asked.stack.framework_defaults);
  asked.cluster = needed_of_model(values, "cluster", example);
  return asked;
}

AskedStep asked_by_files(const options::variables_map& values, const CommonOptions& common,
                         const Launched& launched) {
  AskedStep asked{.subject = launched.training.model};
  asked.stack = stack_of(values, common, launched);
  asked.model = launched_model(values, common, launched, asked.stack);
  asked.plan = launched_plan(values, common, launched, asked.stack);
  asked.cluster = launched.cluster;
  return asked;
}

}  // namespace

void add_simulation_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  description.add_options()                                                                       //
      ("model", text(), "a name of `tofn list models`, or a file (.yaml, config.json)")           //
      ("cluster", text(), "a name of `tofn list clusters`, or a file (.yaml)")                    //
      ("accelerators,N", text(), "e.g. 64, or 8,64,512, or 8..512 (default: one node)")           //
      ("batch", text(), "global batch in samples")                                                //
      ("replica-batch", text(), "samples per replica and step: the batch grows with N")           //
      ("calibration", text(), "measured collectives: a name of configs/calibrations, or a file")  //
      ("seed", text(), "seed that chooses the slowest replica (default: the expected one)")       //
      ("trace", text(), "file for the timeline, to be opened in Perfetto (ui.perfetto.dev)")      //
      ("explain", text(),
       "a name of `tofn list plans` or `clusters`: what it would change, part by part");
  add_model_options(description);
  add_measured_options(description);
  add_facility_option(description);
  add_heterogeneous_options(description);
  add_what_if_option(description);
  add_plan_options(description);
  add_launch_file_option(description);
  add_emit_option(description);
}

CommandAnswer simulate_model(const options::variables_map& values, const CommonOptions& common) {
  Library library = Library::load(common.configs);
  const std::optional<Launched> launched = launched_of(values, common, library);
  const Launcher* const launcher = emitted_launcher(values);
  const AskedStep step =
      launched ? asked_by_files(values, common, *launched) : asked_by_name(values, common);
  const Model& model = step.model;
  const PlanFile& file = step.plan;
  Cluster cluster = cluster_named(values, common, library, step.cluster);
  if (const auto factor = facility_factor_of(values))
    cluster.power.facility_factor = {*factor, "stated"};
  const auto asked = text_option(values, "accelerators");
  const auto counts = asked      ? counts_of(*asked, "-N")
                      : launched ? std::vector{launched->training.plan.accelerators()}
                                 : std::vector{cluster.accelerators_per_node.value};
  if (launcher != nullptr) only_point(counts, "--emit");
  constexpr int most_samples = 100'000'000;
  auto batch = count_option(values, "batch", most_samples);
  const auto per_replica = count_option(values, "replica-batch", most_samples);
  if (launched && !batch && !per_replica)
    batch = static_cast<int>(launched->training.plan.global_batch());
  const bool has_default_batch = !batch && !per_replica && model.sequence_length > 0;
  if (has_default_batch)
    batch = static_cast<int>(
        even_batches(batch_samples(default_batch_tokens, model.sequence_length), counts.back())
            .front());
  if (batch.has_value() == per_replica.has_value())
    throw InputError({}, "--batch", "is needed, or --replica-batch, and only one of them");
  const double samples_each =
      batch ? 1.0 * *batch / counts.front() : 1.0 * *per_replica / file.split.model_parallel_size();
  const PlanFile stated = batch ? file : with_stated_replicas(file);
  const KernelProfile profile = with_measured_steps(
      values, common.configs, library, step.stack, model, cluster,
      [&](const KernelProfile& by, int accelerators, double samples) {
        return PlannedModel{model, filled_plan({.model = model,
                                                .cluster = cluster,
                                                .profile = by,
                                                .plan = stated,
                                                .accelerators = accelerators,
                                                .batch = samples})
                                       .plan};
      },
      samples_each);
  const HeterogeneousNodes heterogeneous = heterogeneous_nodes_of(
      values,
      [&](const std::string& name) { return cluster_named(values, common, library, name); });
  const auto seed = values.count("seed") > 0 ? std::optional(seed_of(values)) : std::nullopt;
  auto steps = step_answer({.model = model,
                            .cluster = cluster,
                            .profile = profile,
                            .plan = file,
                            .sizes = counts,
                            .batch = batch,
                            .replica_batch = per_replica,
                            .heterogeneous = heterogeneous,
                            .seed = seed});
  if (has_default_batch)
    for (SimulatedStep& each : steps)
      each.substitutions.emplace_back("the batch (--batch, --replica-batch)");
  if (const auto trace = text_option(values, "trace")) write_step_trace(*trace, steps.back());
  say_idle(steps);
  const SimulatedStep& last = steps.back();
  AnswerText text = steps.size() > 1 ? step_table_text(steps) : step_text(last);
  if (const auto difference = explained(values, common, library, last, profile))
    text = {.screen = *difference, .details = text.screen + '\n' + text.details};
  const bool all_fit =
      std::all_of(steps.begin(), steps.end(), [](const auto& each) { return fits(each); });
  CommandAnswer answer{.text = text.screen + measured_model_text(library.workloads_of(model.name)) +
                               next_text(steps),
                       .details = text.details,
                       .records = step_records(steps),
                       .exit_code = all_fit ? 0 : 1};
  const RunFile run{.phases = {{.model = model}}, .is_one_step = true};
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
