#include "sim/app/launch_options.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <type_traits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/hugging_face/hugging_face.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Tells of each file that stands beside a script which names another one in its place and reads
/// it.
void say_named_files(const LaunchFile& script, const std::vector<LaunchFile>& beside) {
  const auto name_of = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  for (const LaunchSetting& each : script.settings) {
    const bool is_missing = std::ranges::any_of(
        script.not_understood,
        [&](const LaunchUnknown& unknown) { return unknown.text == each.value; });
    if (!names_file(each.key, each.value) || is_missing) continue;
    for (const LaunchFile& file : beside)
      if (file.format != LaunchFormat::Shell && name_of(file.path) != name_of(each.value))
        say(fmt::format("{} names {} (--{}), whose settings override those of {}", script.path,
                        each.value, each.key, file.path));
  }
}

/// Reads several launch files as one. Flags of a script take precedence over the files beside it,
/// and settings of later files over those of earlier ones.
LaunchFile read_together(const std::vector<std::string>& paths) {
  std::vector<LaunchFile> files;
  for (const std::string& path : paths) files.push_back(read_launch_file(path));
  std::stable_partition(files.begin(), files.end(),
                        [](const LaunchFile& file) { return file.format != LaunchFormat::Shell; });
  for (const LaunchFile& file : files)
    if (file.format == LaunchFormat::Shell) say_named_files(file, files);
  LaunchFile all = files.front();
  for (const LaunchFile& next : std::span(files).subspan(1)) {
    all.settings.insert(all.settings.end(), next.settings.begin(), next.settings.end());
    all.not_understood.insert(all.not_understood.end(), next.not_understood.begin(),
                              next.not_understood.end());
  }
  return all;
}

Model named_model(const options::variables_map& values, const CommonOptions& common,
                  const Launched& launched) {
  const LaunchedTraining& training = launched.training;
  const auto request = option::sequence_length.of(values);
  if (training.own_model) {
    Model model = *training.own_model;
    if (request) model.sequence_length = *request;
    return model;
  }
  if (training.model.empty())
    throw InputError({.file = launched.files}, {},
                     "names no model that is known: give it, --from FILE MODEL CLUSTER");
  return find_model(common.configs, training.model, request ? request : training.sequence_length);
}

/// Names of the fields that the plan states. The stack decides `cuda_graphs` and absent fields.
std::vector<std::string> stated_rows(const Plan& plan) {
  std::vector<std::string> names;
  visit_plan([&](const PlanField& field, auto member) {
    const bool is_stacks = field.name == "cuda_graphs";
    if constexpr (requires { (plan.*member).has_value(); }) {
      if ((plan.*member).has_value()) names.emplace_back(field.name);
    } else if (!is_stacks) {
      names.emplace_back(field.name);
    }
  });
  return names;
}

void say_overrides(const options::variables_map& values, const Launched& launched) {
  std::vector<std::string> given;
  const auto look = [&](const AnyOption& option) {
    if (option.is_given(values)) given.push_back(option.flag());
  };
  for (const AnyOption* option : std::initializer_list<const AnyOption*>{
           &option::plan, &option::micro_batch, &option::gradient_accumulation, &option::batch,
           &option::batch_tokens})
    look(*option);
  if (launched.training.steps) {
    look(option::tokens);
    look(option::samples);
  }
  if (launched.training.sequence_length) look(option::sequence_length);
  visit_plan([&](const PlanField& field, auto member) {
    if (!field.is_worked_out) look(plan_option(member));
  });
  if (!given.empty())
    say(fmt::format("{} override{} what {} says", fmt::join(given, ", "),
                    given.size() == 1 ? "s" : "", launched.files));
}

}  // namespace

CommandOption launch_file_row() { return {&option::launch_files, of_models}; }

CommandOption emit_row() {
  return {&option::emit, of_predicted_models,
          "the launch file of its plan, after the answer or alone in the file of -o: " +
              list_text(written_launchers(), "or")};
}

std::optional<Launched> launched_of(const options::variables_map& values,
                                    const CommonOptions& common, Library& library) {
  const auto files = option::launch_files.of(values);
  if (!files) return {};
  const LaunchFile file = read_together(split_list(*files));
  Launched launched{.files = *files, .launcher = launcher_of(common.configs, file)};
  if (launched.launcher == nullptr)
    throw InputError(
        {.file = *files}, {},
        "has no key of software whose launch files are read: " + read_launchers(common.configs));
  const auto first = (option::job.is_given(values) ? option::job : option::model).of(values);
  const auto second = option::cluster.of(values);
  if (!first) throw InputError("which cluster? for example: --from run.sh dgx-h100");
  launched.cluster = second.value_or(*first);
  // A refusal may be due to a key that is not understood, so these keys are listed first.
  for (const LaunchUnknown& unknown : not_understood(file, *launched.launcher))
    say(fmt::format("{}: {}: not understood: '{}' ({})", to_text(unknown.place), unknown.key,
                    shortened(unknown.text), unknown.reason));
  const LaunchReading reading = read_training(
      file, *launched.launcher,
      {.accelerators = option::accelerators.as(values, whole<>),
       .accelerators_per_node = library.cluster(launched.cluster).accelerators_per_node.value,
       .names_model = second.has_value(),
       .states_length = option::tokens.is_given(values) || option::samples.is_given(values),
       .states_precision = plan_option(&Plan::precision).is_given(values),
       .states_recompute = plan_option(&Plan::recompute).is_given(values),
       .batch = option::batch.of(values),
       .micro_batch = option::micro_batch.of(values),
       .accumulation = option::gradient_accumulation.of(values)});
  if (reading.other_size)
    say(fmt::format("{} launches {} accelerators: taken on {}, as -N asks", *files,
                    *reading.other_size, reading.training.plan.accelerators()));
  launched.training = reading.training;
  if (launched.training.plan.precision == Precision::Fp32 &&
      !plan_option(&Plan::precision).is_given(values))
    say(fmt::format("{} asks for neither bf16 nor fp16: products run in fp32 (--precision)",
                    *files));
  if (!second) return launched;
  if (!launched.training.model.empty() || launched.training.own_model)
    say(fmt::format("{} overrides the model that {} says", *first, *files));
  launched.training.model = *first;
  launched.training.own_model.reset();
  return launched;
}

KernelProfile stack_of(const options::variables_map& values, const CommonOptions& common,
                       const Launched& launched) {
  std::string name = option::stack.value(values);
  if (!option::stack.is_given(values)) {
    if (!launched.training.has_other_program) name = launched.launcher->stack;
    say(fmt::format("{} is of {}{}: --stack {}", launched.files, launched.launcher->name,
                    launched.training.has_other_program ? " and states no program" : "", name));
  }
  return found_stack(values, common.configs, name);
}

Model launched_model(const options::variables_map& values, const CommonOptions& common,
                     const Launched& launched, const KernelProfile& stack) {
  Model model = named_model(values, common, launched);
  for (ModelPart& part : model.parts)
    if (auto* layers = std::get_if<TransformerLayers>(&part.shape);
        layers != nullptr && launched.training.selective)
      layers->selective_recompute = launched.training.selective;
  const LaunchedTraining& training = launched.training;
  if (!training.sequence_length && !training.own_model && model.sequence_length > 0 &&
      !option::sequence_length.is_given(values))
    model.substitutions.push_back(
        fmt::format("samples are taken to have {:.0f} tokens, the length of {}, because {} does "
                    "not state it (--sequence-length)",
                    model.sequence_length, model.name, launched.files));
  return as_run_by(stack.framework_defaults, model);
}

StatedPlan launched_plan(const options::variables_map& values, const CommonOptions& common,
                         const Launched& launched, const KernelProfile& stack) {
  say_overrides(values, launched);
  const Plan& plan = launched.training.plan;
  return plan_of(values, common.configs, stack.framework_defaults,
                 {.name = launched.files,
                  .split = plan,
                  .micro_batch = static_cast<int>(plan.micro_batch),
                  .stated = stated_rows(plan),
                  .is_whole = true});
}

StatedRun run_of(const options::variables_map& values, const CommonOptions& common,
                 const Launched& launched, const KernelProfile& stack) {
  StatedRun run = requested_run(values, launched_model(values, common, launched, stack));
  RunPhase& phase = run.phases.front();
  const Plan& plan = launched.training.plan;
  BatchStretch& stretch = phase.stretches.front();
  if (run.has_default_batch) {
    if (run.is_one_step) stretch.samples = plan.global_batch();
    stretch.batch = plan.global_batch();
    run.has_default_batch = false;
  }
  if (run.is_one_step && launched.training.steps) {
    stretch.samples = stretch.batch * static_cast<double>(*launched.training.steps);
    run.is_one_step = false;
  }
  phase.plan = launched_plan(values, common, launched, stack);
  if (const auto start_up = option::start_up.of(values)) run.start_up = *start_up;
  return run;
}

const Launcher* emitted_launcher(const options::variables_map& values) {
  const auto name = option::emit.of(values);
  if (!name) return nullptr;
  const CommonOptions common = read_common(values);
  if (common.format != Format::Table)
    throw InputError({}, option::emit.flag(),
                     "its file follows the answer for people: leave --format out");
  return &launcher_named(common.configs, *name);
}

void add_launch_file(const EmittedFile& request, const CommonOptions& common,
                     CommandAnswer& answer) {
  const auto& [launcher, run, subject, plan, cluster] = request;
  if (launcher == nullptr) return;
  answer.output_is_taken = true;
  answer.is_exact = common.output.empty();
  const RunPhase& phase = run.phases.front();
  ModelConstants constants;
  if (!subject.empty() && !names_run(common.configs, subject))
    constants = find_model_constants(common.configs, subject);
  LaunchedTraining training{.model = phase.model.name,
                            .own_model = phase.model,
                            .plan = plan,
                            .accelerators_per_node = cluster.accelerators_per_node.value,
                            .is_tpu = cluster.accelerator.architecture == Architecture::Tpu,
                            .rotary_base = constants.rotary_base,
                            .norm_epsilon = constants.norm_epsilon};
  if (!plan.precision) training.plan.precision = phase.model.precision;
  if (phase.model.sequence_length > 0)
    training.sequence_length = static_cast<int>(phase.model.sequence_length);
  if (!run.is_one_step)
    training.steps = std::llround(std::ceil(phase.samples() / plan.global_batch()));
  try {
    const LaunchWriting writing = write_training(training, *launcher);
    if (!writing.left_out.empty())
      say(fmt::format("--emit {}: it does not express {}", launcher->name,
                      fmt::join(writing.left_out, ", ")));
    if (!writing.unstated.empty())
      say(fmt::format("--emit {}: to be added to the file: {}", launcher->name,
                      fmt::join(writing.unstated, "; ")));
    if (common.output.empty())
      answer.text += "\n" + writing.text;
    else
      write_text_file_atomically(common.output, writing.text);
  } catch (const InputError& error) {
    say(fmt::format("--emit {}: {}", launcher->name, error.what()));
    answer.exit_code = std::max(answer.exit_code, 2);  // exit codes of signals are higher
  }
}

}  // namespace app
}  // namespace tofn
