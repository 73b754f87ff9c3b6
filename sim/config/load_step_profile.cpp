#include "sim/config/load_step_profile.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/config/field_rows.hpp"
#include "sim/config/file_format.hpp"
#include "sim/config/file_keys.hpp"
#include "sim/config/load_parts.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/run_settings_rows.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

template <class Walk, class Step>
void measured_step_rows(Walk& walk, Step& of) {
  constexpr Range count = range::at_least_one;
  walk({"source", "the log that it is of", true}, of.source);
  walk({"accelerators", "that the step ran on", true, count}, of.accelerators);
  walk({"global_batch", "samples of a step", true, count}, of.global_batch);
  walk({"tensor_parallel", "ranks", true, count}, of.tensor_parallel_size);
  walk({"context_parallel", "ranks", true, count}, of.context_parallel_size);
  walk({"gradient_accumulation", "micro-batches of a step", true, count}, of.gradient_accumulation);
  walk({"step", "median, without warm-up and outliers", true, range::positive}, of.step);
  constexpr Range at_most_one{-range::unbounded, 1, false, "must be at most 1"};
  walk({"spread", "between single steps, relative", true, range::not_negative, 6, at_most_one},
       of.spread);
  walk({"steps", "that the median is of", true, count}, of.steps);
}

void read_release(const YamlNode& node, std::string& release) {
  node.read(release);
  if (!months_between(release, release))
    node.fail("expected \"YY.MM\", e.g. \"24.09\", got '" + release + "'");
}

/// What both the reader and the list have; the writer sees places from its folder.
template <class Walk>
void step_profile_rows(Walk& walk, StepProfile& of) {
  walk({"workload", "a name of workloads/, or a file", true}, of.workload);
  walk({"cluster", "a name of clusters/, or a file", true}, of.cluster);
  walk.with({"release", "of the software"}, "\"YY.MM\"",
            [&](const YamlNode& node) { read_release(node, of.settings.software_release); });
  walk.map({"settings", "what the run states"},
           [&](auto& inner) { settings_rows(inner, of.settings); });
  walk.list({"step_rows", "measured steps", true}, "a step profile needs a row", of.rows,
            [](auto& inner, MeasuredStep& row) { measured_step_rows(inner, row); });
}

std::string row_text(const MeasuredStep& row) {
  FieldWriter writer("    ");
  measured_step_rows(writer, row);
  return "  - " + writer.text().substr(4);
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
  FieldReader reader(fields);
  step_profile_rows(reader, profile);
  fields.done();
  profile.workload = found_from(file.parent_path(), profile.workload);
  profile.cluster = found_from(file.parent_path(), profile.cluster);
  return profile;
}

void list_step_profile_keys(std::vector<FileKey>& keys) {
  FieldLister lister("steps", keys);
  StepProfile profile;
  lister({"name", "of the profile", true}, profile.name);
  step_profile_rows(lister, profile);
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
