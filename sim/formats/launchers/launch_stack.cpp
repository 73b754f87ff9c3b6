#include "sim/formats/launchers/launch_stack.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Code of each launcher that has some. Those that write stand in the order in which `--emit` names
/// them.
constexpr auto launch_codes = std::to_array<const LaunchCode*>(
    {&torchtitan_code, &maxtext_code, &deepspeed_code, &megatron_code, &torchtitan_registry_code,
     &primus_code, &primus_titan_code, &neox_code, &fms_code, &composer_code, &accelerate_code,
     &nemo_code});

const LaunchCode* code_named(std::string_view launcher) {
  const auto* found = std::ranges::find_if(
      launch_codes, [&](const LaunchCode* code) { return code->launcher == launcher; });
  return found == launch_codes.end() ? nullptr : *found;
}

/// The launcher's own code; if it cannot read, the nearest launcher that it is based on supplies
/// the reading. InputError if none can.
LaunchCode code_of(const Launcher& launcher) {
  const LaunchCode* own = code_named(launcher.name);
  LaunchCode code = own != nullptr ? *own : LaunchCode{.launcher = launcher.name};
  for (const std::string& base : launcher.bases)
    if (const LaunchCode* other = code_named(base); other != nullptr && code.to_training == nullptr)
      code.to_training = other->to_training;
  if (code.to_training == nullptr)
    throw InputError({.file = launcher.file.string()}, "based_on",
                     fmt::format("is needed, since no code is {}'s own", launcher.name));
  return code;
}

std::vector<std::string> names_of_read(const std::filesystem::path& configs) {
  std::vector<std::string> names;
  for (const Launcher& each : launchers_in(configs))
    if (each.is_read) names.push_back(each.name);
  return names;
}

/// True if the last setting of the mark's key has the mark's value.
bool has_value(const LaunchFile& file, const LaunchMark& mark) {
  const auto last =
      std::find_if(file.settings.rbegin(), file.settings.rend(),
                   [&](const LaunchSetting& setting) { return setting.key == mark.key; });
  return last != file.settings.rend() && (mark.value.empty() || last->value == mark.value);
}

bool has_program(const LaunchFile& file, std::string_view start) {
  return std::ranges::any_of(file.settings, [&](const LaunchSetting& setting) {
    return setting.key == "program" && setting.value.starts_with(start);
  });
}

bool has_mark(const LaunchFile& file, const LaunchMark& mark) {
  const auto has = [&](const std::string& start) { return has_key(file, start); };
  return std::ranges::all_of(mark.starts, has) && std::ranges::none_of(mark.without, has) &&
         (mark.key.empty() || has_value(file, mark)) &&
         (mark.program.empty() || has_program(file, mark.program));
}

/// Throws InputError at the setting that shows whose file it is. Only keys of YAML and JSON do: a
/// program's own flag may have the same name as another program's key.
[[noreturn]] void refuse(const LaunchFile& file, const Launcher& launcher, const LaunchMark& mark,
                         const std::string& read) {
  const auto marked = std::ranges::find_if(file.settings, [&](const LaunchSetting& setting) {
    return mark.starts.empty() ? setting.key == mark.key
                               : setting.key.starts_with(mark.starts.front());
  });
  throw InputError(marked->place, marked->key,
                   fmt::format("files of {} are not read: {}", launcher.name, read));
}

/// True if the file must tell the value of a key that it states.
bool is_needed(const LaunchKey& key, const LaunchSize& request) {
  return key.if_unknown == IfUnknown::Refuse ||
         (key.if_unknown == IfUnknown::AskLength && !request.states_length);
}

std::string sizes_of(const Plan& plan) {
  return fmt::format("dp {}, micro-batch {:g}, {} micro-batches", plan.data_parallel_size,
                     plan.micro_batch, plan.gradient_accumulation);
}

/// Names of the fields in which two plans differ.
std::vector<std::string> differences(const Plan& request, const Plan& expressed) {
  std::vector<std::string> names;
  visit_plan([&](const PlanField& field, auto member) {
    if (!(request.*member == expressed.*member)) names.emplace_back(field.name);
  });
  if (request.gradient_accumulation != expressed.gradient_accumulation ||
      request.micro_batch != expressed.micro_batch)
    names.push_back(fmt::format("batch ({} for {})", sizes_of(expressed), sizes_of(request)));
  return names;
}

/// Returns the plan without options that have no effect. If it splits into the same stages as the
/// training, their layers are counted, because files may state them in other ways than plans do.
Plan with_counted_layers(const Plan& of, const LaunchedTraining& training) {
  Plan plan = without_idle_options(of);
  Plan split = training.plan;
  if (!training.own_model || plan.pipeline_parallel_size == 1 ||
      plan.pipeline_parallel_size != split.pipeline_parallel_size ||
      plan.chunks_per_stage != split.chunks_per_stage)
    return plan;
  split.stage_layers = plan.stage_layers;
  split.balanced_stages = plan.balanced_stages;
  plan.stage_layers = stage_layers(layer_work(*training.own_model, split), split);
  plan.balanced_stages = false;
  return plan;
}

}  // namespace

const Launcher& launcher_named(const std::filesystem::path& configs, std::string_view name) {
  for (const Launcher& each : launchers_in(configs))
    if (each.is_read && each.name == name) return each;
  throw InputError(unknown_name("launcher", name, names_of_read(configs)));
}

std::vector<std::string> written_launchers() {
  std::vector<std::string> names;
  for (const LaunchCode* each : launch_codes)
    if (each->write != nullptr) names.emplace_back(each->launcher);
  return names;
}

std::string read_launchers(const std::filesystem::path& configs) {
  return fmt::format("those of {} are", list_text(names_of_read(configs), "and"));
}

const Launcher* launcher_of(const std::filesystem::path& configs, const LaunchFile& file) {
  const bool is_config = file.format == LaunchFormat::Yaml || file.format == LaunchFormat::Json;
  for (const Launcher& each : launchers_in(configs)) {
    const auto mark =
        std::ranges::find_if(each.marks, [&](const LaunchMark& of) { return has_mark(file, of); });
    if (mark == each.marks.end()) continue;
    if (each.is_read) return &each;
    if (is_config) refuse(file, each, *mark, read_launchers(configs));
  }
  return nullptr;
}

LaunchReading read_training(const LaunchFile& original, const Launcher& launcher,
                            const LaunchSize& request) {
  const LaunchCode code = code_of(launcher);
  const LaunchFile file = code.as_flags != nullptr ? code.as_flags(original, launcher)
                                                   : renamed(original, launcher.renames);
  LaunchValues values(launcher);
  LaunchReading reading;
  for (const LaunchUnknown& unknown : file.not_understood)
    if (!launcher.ignores(unknown.key) || unknown.reason == missing_file)
      reading.not_understood.push_back(unknown);
  for (const LaunchSetting& setting : values.take(file)) {
    const bool says_nothing = setting.value == "null";
    if (says_nothing || is_launchers(setting.key) || launcher.ignores(setting.key)) continue;
    reading.not_understood.push_back({setting.key, setting.value,
                                      fmt::format("{} is read without it", launcher.name),
                                      setting.place});
  }
  // A key whose value is not known must not count as its default.
  for (const LaunchUnknown& unknown : file.not_understood)
    for (const LaunchKey& key : launcher.keys)
      if (key.key == unknown.key && !values.is_stated(key.key) && is_needed(key, request))
        throw InputError(
            unknown.place, unknown.key,
            fmt::format(
                "'{}' is not known ({}): state it{}", shortened(unknown.text), unknown.reason,
                key.if_unknown == IfUnknown::AskLength ? ", or give --tokens or --samples" : ""));
  LaunchSize size = request;
  const auto launched = launcher_size(file, request.accelerators_per_node);
  size.accelerators_per_node = launched.accelerators_per_node;
  if (!size.accelerators) size.accelerators = launched.accelerators;
  if (launched.accelerators && size.accelerators != launched.accelerators)
    reading.other_size = *launched.accelerators;
  reading.training = code.to_training(values, size);
  reading.training.plan = without_idle_options(reading.training.plan);
  return reading;
}

LaunchWriting write_training(const LaunchedTraining& training, const Launcher& launcher) {
  const LaunchCode code = code_of(launcher);
  if (code.write == nullptr)
    throw InputError(fmt::format("{}: its files are read, not written", launcher.name));
  LaunchValues values(launcher);
  values.from_plan(training.plan);
  code.from_training(training, values);
  LaunchWriting writing{.text = code.write(training, values.settings())};
  const LaunchedTraining read =
      code.to_training(values, {.accelerators = training.plan.accelerators(),
                                .accelerators_per_node = training.accelerators_per_node});
  Plan request = training.plan;
  if (!request.compile) request.compile = read.plan.compile;  // absent: as the stack runs
  writing.left_out =
      differences(with_counted_layers(request, training), with_counted_layers(read.plan, training));
  if (training.own_model && !read.own_model && read.model.empty())
    writing.left_out.emplace_back("the model's layers");
  if (code.unstated != nullptr) writing.unstated = code.unstated(training);
  return writing;
}

bool has_key(const LaunchFile& file, std::string_view start) {
  return std::ranges::any_of(
      file.settings, [&](const LaunchSetting& setting) { return setting.key.starts_with(start); });
}

}  // namespace formats
}  // namespace tofn
