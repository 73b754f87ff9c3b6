#include "sim/answers/machine_notes.hpp"

#include <set>

#include "sim/answers/file_kinds.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load.hpp"
#include "sim/core/error.hpp"
#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace answers {
namespace {

std::vector<std::string> clusters_of(const Sweep& sweep) {
  std::vector<std::string> names;
  if (sweep.base.cluster) names.push_back(*sweep.base.cluster);
  for (const Axis* axis : sweep.axes())
    if (axis->path == "cluster")
      names.insert(names.end(), axis->values.begin(), axis->values.end());
  return names;
}

std::vector<MachineFault> faults_in(const std::string& file, FileKind kind,
                                    const std::filesystem::path& configs) {
  if (kind == FileKind::Accelerator) return faults_of(load_accelerator(file));
  return faults_of(Library::load(configs).cluster(file));
}

void add_notes(const std::string& file, const std::filesystem::path& configs,
               std::set<std::string>& seen, std::vector<std::string>& notes) try {
  std::error_code ignored;  // a name that is too long belongs to no file
  if (!file.ends_with(".yaml") || !std::filesystem::is_regular_file(file, ignored) ||
      !seen.insert(file).second)
    return;
  const YamlNode root = YamlNode::load(file);
  const FileKind kind = kind_of_file(root).kind;
  if (kind == FileKind::Sweep)
    for (const std::string& cluster : clusters_of(load_sweep(file)))
      add_notes(cluster, configs, seen, notes);
  if (kind == FileKind::Cluster || kind == FileKind::Accelerator)
    for (const MachineFault& fault : faults_in(file, kind, configs))
      notes.emplace_back(error_of(root, fault).what());
} catch (const InputError&) {
  return;
}

}  // namespace

Location location_of(const YamlNode& root, std::string_view key) {
  const std::string_view first = key.substr(0, key.find('.'));
  for (const auto& [name, node] : root.entries())
    if (name == first)
      return first == key ? node.location() : location_of(node, key.substr(first.size() + 1));
  return root.location();
}

InputError error_of(const YamlNode& root, const MachineFault& fault) {
  return {location_of(root, fault.key), fault.key, fault.problem};
}

std::vector<std::string> machine_notes(const std::vector<std::string>& files,
                                       const std::filesystem::path& configs) {
  std::set<std::string> seen;
  std::vector<std::string> notes;
  for (const std::string& file : files) {
    add_notes(file, configs, seen, notes);
    add_notes(file.substr(0, file.rfind(':')), configs, seen,
              notes);  // `my.yaml:256`, an offer with a stock
  }
  return notes;
}

}  // namespace answers
}  // namespace tofn
