#include "sim/config/load_step_profile.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/config/file_format.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

MeasuredStep read_measured_step(const YamlNode& node) {
  MeasuredStep row;
  Fields fields = node.fields();
  fields.required("source", row.source);
  read_in(range::at_least_one, fields, "accelerators", row.accelerators);
  read_in(range::at_least_one, fields, "global_batch", row.global_batch);
  read_in(range::at_least_one, fields, "tensor_parallel", row.tensor_parallel_size);
  read_in(range::at_least_one, fields, "context_parallel", row.context_parallel_size);
  read_in(range::at_least_one, fields, "gradient_accumulation", row.gradient_accumulation);
  read_positive(fields, "step", row.step);
  read_in(range::not_negative, fields, "spread", row.spread);
  read_in(range::at_least_one, fields, "steps", row.steps);
  if (row.spread > 1) fields.child("spread").fail("must be at most 1");
  fields.done();
  return row;
}

void read_release(const YamlNode& node, std::string& release) {
  node.read(release);
  if (!months_between(release, release))
    node.fail("expected \"YY.MM\", e.g. \"24.09\", got '" + release + "'");
}

std::string row_text(const MeasuredStep& row) {
  return fmt::format(
      "  - source: {}\n    accelerators: {}\n    global_batch: {:.15g}\n    tensor_parallel: {}\n"
      "    context_parallel: {}\n    gradient_accumulation: {}\n    step: {}\n    spread: {:.6g}\n"
      "    steps: {}\n",
      yaml_text(row.source), row.accelerators, row.global_batch, row.tensor_parallel_size,
      row.context_parallel_size, row.gradient_accumulation, to_text(row.step, 15), row.spread,
      row.steps);
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
  const YamlNode rows = fields.child("step_rows");
  for (const YamlNode& item : rows.items()) profile.rows.push_back(read_measured_step(item));
  if (profile.rows.empty()) rows.fail("a step profile needs a row");
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
  text += "step_rows:  # spread: between single steps, relative; steps: that the median is of\n";
  for (const MeasuredStep& row : profile.rows) text += row_text(row);
  return text;
}

}  // namespace config
}  // namespace tofn
