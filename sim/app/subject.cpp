#include "sim/app/subject.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "sim/answers/file_kinds.hpp"
#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_run.hpp"
#include "sim/core/configs_folder.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace app {

namespace {

Subject subject_of_file(const std::string& file) {
  const YamlNode root = YamlNode::load(file);
  const auto entries = root.entries();
  const bool has_sample =
      std::ranges::any_of(entries, [](const auto& entry) { return entry.first == "sample"; });
  const Subject subject{
      .is_run = is_run(root), .is_model = is_model(root), .is_workload = has_sample};
  if (subject.is_run || subject.is_model || subject.is_workload) return subject;
  // A key that resembles the one that identifies a run, a model or a workload is a misspelling.
  const std::vector<std::string> keys{"phases", "parts", "sample"};
  for (const auto& [key, node] : entries)
    if (nearest_name(key, keys))
      throw InputError(node.location(), {}, unknown_name("key", key, keys));
  root.fail(fmt::format("is a {}: expected a model, a run or a workload", kind_of_file(root).name));
}

bool is_named_exactly(const Workload& workload, const std::string& name) {
  return workload.name == name ||
         std::ranges::find(workload.aliases, name) != workload.aliases.end();
}

}  // namespace

Subject subject_of(const std::string& name, const std::filesystem::path& configs) {
  if (is_file_name(name)) return subject_of_file(name);
  std::vector<std::string> names;
  const auto is_one_of = [&](const char* folder) {
    const auto files = files_in(configs, folder);
    for (const auto& file : files) names.push_back(file.stem());
    return std::ranges::any_of(files, [&](const auto& file) { return file.stem() == name; });
  };
  const bool is_model = is_one_of("models");
  const bool is_run = is_one_of("runs");
  const Library library = Library::load(configs);
  const Workload* workload = library.find_workload(name);
  // A model's or run's own name goes before other spellings of a workload in tables of results.
  const bool is_workload =
      workload != nullptr && (!(is_model || is_run) || is_named_exactly(*workload, name));
  if (is_run + is_model + is_workload > 1)
    throw InputError(fmt::format(
        "'{}' has two meanings: {}; rename one, or give the file of the one that is meant", name,
        is_model && is_workload ? "a model of models/ and a workload of workloads/"
        : is_workload           ? "a run of runs/ and a workload of workloads/"
                                : "a run of runs/ and a model of models/"));
  if (is_run || is_model || is_workload) return {is_run, is_model, is_workload};
  // The name is a folder, which needs a config.json, or a model of the hub, whose name has a slash.
  std::error_code ignored;
  if (name.find('/') != std::string::npos || std::filesystem::is_directory(name, ignored))
    return subject_of_file(file_named(configs, "models", "model", name).string());
  for (const Workload& each : library.workloads()) names.push_back(each.name);
  if (library.find_cluster(name) != nullptr)
    throw InputError(fmt::format("{} is a cluster: the job comes first, then the cluster", name));
  throw InputError(
      fmt::format("{}; {}",
                  unknown_listed_name("job", name, names,
                                      "`tofn list models`, `list runs` and `list workloads`"),
                  other_models));
}

Subject subject_of(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  if (words.front().starts_with('-') && !is_standard_input(words.front())) return {};
  std::filesystem::path configs = default_configs();
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == option::configs.flag()) configs = words[i + 1];
  return subject_of(words.front(), configs);
}

}  // namespace app
}  // namespace tofn
