#include "sim/config/load_plan.hpp"

#include <algorithm>

#include "sim/config/checks.hpp"
#include "sim/config/run_settings_yaml.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {
namespace {

namespace fs = std::filesystem;

}  // namespace

PlanFile load_plan(const fs::path& file) {
  PlanFile plan;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", plan.name);
  read_at_least(fields, "tensor_parallel", 1, plan.tensor_parallel_size);
  read_at_least(fields, "context_parallel", 1, plan.context_parallel_size);
  read_positive(fields, "gradient_accumulation", plan.gradient_accumulation);
  if (const auto settings = fields.optional_child("settings"))
    read_run_settings(*settings, plan.settings);
  fields.done();
  return plan;
}

std::vector<fs::path> plan_files(const fs::path& configs) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(configs / "plans", error))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

PlanFile find_plan(const fs::path& configs, std::string_view name_or_file) {
  if (name_or_file.ends_with(".yaml")) return load_plan(fs::path(name_or_file));
  std::vector<std::string> names;
  for (const fs::path& file : plan_files(configs)) {
    if (file.stem() == name_or_file) return load_plan(file);
    names.push_back(file.stem());
  }
  throw InputError(unknown_name("plan", name_or_file, names));
}

}  // namespace tofn
