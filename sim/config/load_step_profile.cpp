#include "sim/config/load_step_profile.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/config/load_model.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/yaml/field_rows.hpp"
#include "sim/yaml/file_format.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

/// The keys of a row. Those of one size each are left to its plan if it has one.
template <class Walk>
void step_rows(Walk& walk, MeasuredStep& of, bool with_plan) {
  walk({"source", "source of the step: its log or table", true}, of.source);
  walk({"accelerators", "accelerators that ran the step", true, range::at_least_one},
       of.accelerators);
  walk({"global_batch", "samples of a step", true, range::at_least_one}, of.global_batch);
  if (!with_plan) {
    walk({"tensor_parallel", "ranks that share a layer", true, range::at_least_one},
         of.tensor_parallel_size);
    walk({"context_parallel", "ranks that share a sequence", true, range::at_least_one},
         of.context_parallel_size);
    walk({"gradient_accumulation", "micro-batches of a step", true, range::at_least_one},
         of.gradient_accumulation);
  }
  walk({"step", "median of the optimizer steps", true, range::positive}, of.step);
  walk({"spread",
        "spread between single steps, relative to the median",
        true,
        range::not_negative,
        6,
        {0, 1, false, "must be at most 1"}},
       of.spread);
  walk({"steps", "number of steps in the median", true, range::at_least_one}, of.steps);
}

/// A row, with the plan that it ran on its accelerators and batch if rows have one.
MeasuredStep read_row(const YamlNode& item, bool with_plan) {
  MeasuredStep row;
  FieldReader::read_map(item, [&](auto& walk) {
    step_rows(walk, row, with_plan);
    if (with_plan)
      walk.with({"plan", "plan that ran", true}, "map of rows", [&](const YamlNode& plan) {
        const StatedPlan file = read_plan_rows(plan);
        try {
          row.plan = plan_on(file, row.accelerators, row.global_batch);
        } catch (const InputError& broken) {
          plan.fail(broken.what());
        }
      });
  });
  return row;
}

/// The rows of a profile: at least one.
std::vector<MeasuredStep> read_profile_rows(Fields& profile, bool with_plans) {
  std::vector<MeasuredStep> rows;
  const YamlNode node = profile.child("step_rows");
  for (const YamlNode& item : node.items()) rows.push_back(read_row(item, with_plans));
  if (rows.empty()) node.fail("a step profile needs a row");
  return rows;
}

constexpr std::string_view rows_line =
    "step_rows:  # spread: between single steps, relative; steps: that the median is of\n";

/// The keys of a row as an item of a list.
std::string row_yaml(MeasuredStep row) {
  FieldWriter writer("    ");
  if (row.plan) row.accelerators = row.plan->accelerators();
  if (row.plan) row.global_batch = row.plan->global_batch();
  step_rows(writer, row, row.plan.has_value());
  return "  - " + writer.text().substr(4) +
         (row.plan ? "    plan:\n" + plan_yaml(*row.plan, "      ") : "");
}

void read_release(const YamlNode& node, std::string& release) {
  node.read(release);
  if (!months_between(release, release))
    node.fail(R"(expected "YY.MM", e.g. "24.09", got ')" + release + "'");
}

}  // namespace

StepProfile load_step_profile(const fs::path& file) {
  StepProfile profile;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", profile.name);
  if (const auto model = fields.optional_child("model"))
    model->fail(
        "steps of a model say nothing of a workload: `tofn predict MODEL --steps` takes them");
  fields.required("workload", profile.workload);
  fields.required("cluster", profile.cluster);
  if (const auto release = fields.optional_child("release"))
    read_release(*release, profile.settings.software_release);
  if (const auto settings = fields.optional_child("settings"))
    read_run_settings(*settings, profile.settings);
  profile.rows = read_profile_rows(fields, false);
  fields.done();
  profile.workload = found_from(file.parent_path(), profile.workload);
  profile.cluster = found_from(file.parent_path(), profile.cluster);
  return profile;
}

std::string to_yaml(const StepProfile& profile, const fs::path& folder) {
  std::string text = format_line();
  text += fmt::format("name: {}\n", yaml_text(profile.name));
  text += fmt::format("workload: {}\n", yaml_text(seen_from(folder, profile.workload)));
  text += fmt::format("cluster: {}\n", yaml_text(seen_from(folder, profile.cluster)));
  if (!profile.settings.software_release.empty())
    text += fmt::format("release: {}\n", yaml_text(profile.settings.software_release));
  text += run_settings_yaml(profile.settings);
  text += rows_line;
  for (const MeasuredStep& row : profile.rows) text += row_yaml(row);
  return text;
}

bool is_of_model(const fs::path& step_profile) {
  const auto entries = YamlNode::load(step_profile).entries();
  return std::ranges::any_of(entries, [](const auto& entry) { return entry.first == "model"; });
}

ModelSteps load_model_steps(const fs::path& file) {
  ModelSteps profile;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", profile.name);
  if (const auto workload = fields.optional_child("workload"))
    workload->fail(
        "steps of a workload say nothing of a model: `tofn predict WORKLOAD --steps` takes them");
  fields.required("model", profile.model);
  fields.required("cluster", profile.cluster);
  fields.required("stack", profile.stack);
  read_in(range::at_least_one, fields, "sequence_length", profile.sequence_length);
  if (const auto node = fields.optional_child("fine_tuning"))
    read_fine_tuning(*node, profile.fine_tuning);
  profile.rows = read_profile_rows(fields, true);
  fields.done();
  for (std::string* name : {&profile.model, &profile.cluster, &profile.stack})
    *name = found_from(file.parent_path(), *name);
  return profile;
}

std::string to_yaml(const ModelSteps& profile, const fs::path& folder) {
  std::string text = format_line() + fmt::format("name: {}\n", yaml_text(profile.name));
  const auto add_named = [&](const char* key, const std::string& name) {
    text += fmt::format("{}: {}\n", key, yaml_text(seen_from(folder, name)));
  };
  add_named("model", profile.model);
  if (profile.sequence_length)
    text += fmt::format("sequence_length: {}\n", *profile.sequence_length);
  text += fine_tuning_yaml(profile.fine_tuning);
  add_named("cluster", profile.cluster);
  add_named("stack", profile.stack);
  text += rows_line;
  for (const MeasuredStep& row : profile.rows) text += row_yaml(row);
  return text;
}

}  // namespace config
}  // namespace tofn
