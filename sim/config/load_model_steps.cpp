#include "sim/config/load_model_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/config/file_format.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

Plan read_row_plan(Fields& fields) {
  int accelerators = 1;
  double batch = 1;
  read_in(range::at_least_one, fields, "accelerators", accelerators);
  read_in(range::at_least_one, fields, "global_batch", batch);
  const YamlNode plan = fields.child("plan");
  const PlanFile file = read_plan_rows(plan);
  try {
    return plan_on(file, accelerators, batch);
  } catch (const InputError& broken) {
    plan.fail(broken.what());
  }
}

ModelStepRow read_model_step(const YamlNode& node) {
  ModelStepRow row;
  Fields fields = node.fields();
  fields.required("source", row.source);
  row.plan = read_row_plan(fields);
  read_positive(fields, "step", row.step);
  read_in(range::not_negative, fields, "spread", row.spread);
  read_in(range::at_least_one, fields, "steps", row.steps);
  if (row.spread > 1) fields.child("spread").fail("must be at most 1");
  fields.done();
  return row;
}

std::string row_text(const ModelStepRow& row) {
  return fmt::format(
      "  - source: {}\n    accelerators: {}\n    global_batch: {:.15g}\n    step: {}\n"
      "    spread: {:.6g}\n    steps: {}\n    plan:\n{}",
      yaml_text(row.source), row.plan.accelerators(), row.plan.global_batch(),
      to_text(row.step, 15), row.spread, row.steps, plan_yaml(row.plan, "      "));
}

}  // namespace

bool is_of_model(const fs::path& step_profile) {
  const auto entries = YamlNode::load(step_profile).entries();
  return std::any_of(entries.begin(), entries.end(),
                     [](const auto& entry) { return entry.first == "model"; });
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
  const YamlNode rows = fields.child("step_rows");
  for (const YamlNode& item : rows.items()) profile.rows.push_back(read_model_step(item));
  if (profile.rows.empty()) rows.fail("a step profile needs a row");
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
  text += "step_rows:  # spread: between single steps, relative; steps: that the median is of\n";
  for (const ModelStepRow& row : profile.rows) text += row_text(row);
  return text;
}

}  // namespace config
}  // namespace tofn
