#include "sim/config/load_step_profile.hpp"

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

/// Reads at least one row; `read_what_ran` reads the keys of its kind.
template <class Row, class ReadWhatRan>
std::vector<Row> read_profile_rows(Fields& profile, const ReadWhatRan& read_what_ran) {
  std::vector<Row> rows;
  const YamlNode node = profile.child("step_rows");
  for (const YamlNode& item : node.items()) {
    Row row;
    Fields fields = item.fields();
    fields.required("source", row.source);
    read_what_ran(fields, row);
    read_positive(fields, "step", row.step);
    read_in(range::not_negative, fields, "spread", row.spread);
    read_in(range::at_least_one, fields, "steps", row.steps);
    if (row.spread > 1) fields.child("spread").fail("must be at most 1");
    fields.done();
    rows.push_back(std::move(row));
  }
  if (rows.empty()) node.fail("a step profile needs a row");
  return rows;
}

/// Returns rows as text, with `sizes` before a row's time and `plan` after it.
template <class Row, class Sizes, class PlanText>
std::string profile_rows_yaml(const std::vector<Row>& rows, const Sizes& sizes,
                              const PlanText& plan) {
  std::string text =
      "step_rows:  # spread: between single steps, relative; steps: that the median is of\n";
  for (const Row& row : rows)
    text += fmt::format("  - source: {}\n{}    step: {}\n    spread: {:.6g}\n    steps: {}\n{}",
                        yaml_text(row.source), sizes(row), to_text(row.step, 15), row.spread,
                        row.steps, plan(row));
  return text;
}

void read_sizes(Fields& fields, MeasuredStep& row) {
  read_in(range::at_least_one, fields, "accelerators", row.accelerators);
  read_in(range::at_least_one, fields, "global_batch", row.global_batch);
  read_in(range::at_least_one, fields, "tensor_parallel", row.tensor_parallel_size);
  read_in(range::at_least_one, fields, "context_parallel", row.context_parallel_size);
  read_in(range::at_least_one, fields, "gradient_accumulation", row.gradient_accumulation);
}

void read_release(const YamlNode& node, std::string& release) {
  node.read(release);
  if (!months_between(release, release))
    node.fail(R"(expected "YY.MM", e.g. "24.09", got ')" + release + "'");
}

std::string sizes_text(const MeasuredStep& row) {
  return fmt::format(
      "    accelerators: {}\n    global_batch: {:.15g}\n    tensor_parallel: {}\n"
      "    context_parallel: {}\n    gradient_accumulation: {}\n",
      row.accelerators, row.global_batch, row.tensor_parallel_size, row.context_parallel_size,
      row.gradient_accumulation);
}

void read_row_plan(Fields& fields, ModelStepRow& row) {
  int accelerators = 1;
  double batch = 1;
  read_in(range::at_least_one, fields, "accelerators", accelerators);
  read_in(range::at_least_one, fields, "global_batch", batch);
  const YamlNode plan = fields.child("plan");
  const PlanFile file = read_plan_rows(plan);
  try {
    row.plan = plan_on(file, accelerators, batch);
  } catch (const InputError& broken) {
    plan.fail(broken.what());
  }
}

std::string row_sizes_text(const ModelStepRow& row) {
  return fmt::format("    accelerators: {}\n    global_batch: {:.15g}\n", row.plan.accelerators(),
                     row.plan.global_batch());
}
std::string row_plan_text(const ModelStepRow& row) {
  return "    plan:\n" + plan_yaml(row.plan, "      ");
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
  profile.rows = read_profile_rows<MeasuredStep>(fields, read_sizes);
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
  return text + profile_rows_yaml(profile.rows, sizes_text, [](const MeasuredStep&) { return ""; });
}

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
  profile.rows = read_profile_rows<ModelStepRow>(fields, read_row_plan);
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
  return text + profile_rows_yaml(profile.rows, row_sizes_text, row_plan_text);
}

}  // namespace config
}  // namespace tofn
