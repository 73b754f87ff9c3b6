#include "sim/config/library.hpp"

#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/config/load.hpp"
#include "sim/config/load_link_family.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/core/words.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

void require_folder(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator first(folder, error);
  if (error)
    throw InputError({folder.string()}, "",
                     "cannot be read: " + error.message() +
                         "; --configs or TOFN_CONFIGS says where the configs are");
}

template <class Things>
[[noreturn]] void refuse(std::string_view kind, std::string_view name, const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  throw InputError(unknown_listed_name(kind, name, names));
}

/// Refuses the name of an accelerator as that of a cluster, with the clusters that have it.
[[noreturn]] void refuse_accelerator(const Accelerator& accelerator,
                                     const std::deque<Cluster>& clusters) {
  std::vector<std::string> with_it;
  for (const Cluster& cluster : clusters)
    if (cluster.accelerator.name == accelerator.name) with_it.push_back(cluster.name);
  const std::string none =
      fmt::format("no cluster has it: `tofn init cluster --accelerator {}` begins the file of one",
                  shell_word(accelerator.name));
  throw InputError(fmt::format("{} is an accelerator; {}", accelerator.name,
                               with_it.empty() ? none : "clusters with it: " + choices(with_it)));
}

/// Returns the accelerator that a cluster's file names; none if it gives a path, and all if it
/// names none of them.
std::vector<Accelerator> nameable(const YamlNode& root,
                                  const LazyFolder<Accelerator>& accelerators) {
  if (root.is_map())
    for (const auto& [key, value] : root.entries()) {
      if (key != "accelerator" || !value.is_scalar()) continue;
      std::string name;
      value.read(name);
      if (is_yaml(name)) return {};
      const Accelerator* found = accelerators.find(name);
      if (found != nullptr && found->name == name) return {*found};
    }
  const auto& all = accelerators.all();
  return {all.begin(), all.end()};
}

Cluster cluster_of(const YamlNode& root, const LazyFolder<Accelerator>& accelerators,
                   const LazyFolder<LinkFamily>& links) {
  const std::vector<LinkFamily> families(links.all().begin(), links.all().end());
  return read_cluster(root, nameable(root, accelerators), families);
}

}  // namespace

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) letters += lower_case(c);
  return letters;
}

std::string key_of(std::string_view name) {
  std::string key = letters_of(name);
  static constexpr std::array vendors{"nvidia", "amd", "intelr", "intel", "google"};
  for (const std::string_view vendor : vendors)
    if (key.starts_with(vendor) && key.size() > vendor.size()) return key.substr(vendor.size());
  return key;
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Greedy match with one way back: after a mismatch the last star takes one more character.
  std::size_t p = 0;
  std::size_t t = 0;
  std::optional<std::size_t> star;
  std::size_t taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && lower_case(pattern[p]) == lower_case(text[t])) {
      ++p;
      ++t;
    } else if (star) {
      p = *star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

Library Library::load(const fs::path& configs) {
  for (const char* folder : {"accelerators", "clusters", "workloads"})
    require_folder(configs / folder);
  Library library;
  library.configs_ = configs;
  library.accelerators_ =
      std::make_unique<LazyFolder<Accelerator>>(configs, "accelerators", load_accelerator);
  library.link_families_ =
      std::make_unique<LazyFolder<LinkFamily>>(configs, "fabrics", load_link_family);
  library.clusters_ = std::make_unique<LazyFolder<Cluster>>(
      configs, "clusters",
      [&known = *library.accelerators_, &links = *library.link_families_](const fs::path& file) {
        return cluster_of(YamlNode::load(file), known, links);
      });
  library.workloads_ = std::make_unique<LazyFolder<Workload>>(
      configs, "workloads",
      [configs](const fs::path& file) { return load_workload(file, configs); });
  return library;
}

const Accelerator* Library::find_accelerator(std::string_view name) const {
  return accelerators_->find(name);
}
const Workload* Library::find_workload(std::string_view name) const {
  return workloads_->find(name);
}
const Cluster* Library::find_cluster(std::string_view name) const { return clusters_->find(name); }

std::vector<const Workload*> Library::workloads_of(std::string_view model) const {
  return workloads_->mentioning(model, [&](const Workload& each) { return each.model == model; });
}

const Workload& Library::workload(std::string_view name) const {
  if (const Workload* found = find_workload(name)) return *found;
  refuse("workload", name, workloads());
}

const Workload& Library::workload_or_file(std::string_view name_or_file) {
  if (!is_file_name(name_or_file)) return workload(name_or_file);
  const fs::path file(name_or_file);
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(file, error);
  const auto known = workload_files_.find(canonical);
  if (known != workload_files_.end()) return *known->second;
  return *workload_files_.emplace(canonical, &workloads_->add(file)).first->second;
}

const Cluster& Library::cluster(std::string_view name_or_file) {
  if (is_file_name(name_or_file)) return clusters_->add(fs::path(name_or_file));
  if (const Cluster* found = find_cluster(name_or_file)) return *found;
  if (const Accelerator* found = find_accelerator(name_or_file))
    refuse_accelerator(*found, clusters());
  const auto models = files_in(configs_, "models");
  if (std::ranges::any_of(models,
                          [&](const fs::path& file) { return file.stem() == name_or_file; }))
    throw InputError(
        fmt::format("{} is a model: a cluster is needed here, such as dgx-h100", name_or_file));
  refuse("cluster", name_or_file, clusters());
}

Cluster Library::read_cluster(const YamlNode& root) const {
  return cluster_of(root, *accelerators_, *link_families_);
}

const Cluster* Library::cluster_of_system(std::string_view organisation, std::string_view system,
                                          const Accelerator& accelerator) const {
  const std::string full = std::string(organisation) + '/' + std::string(system);
  const Cluster* best = nullptr;
  std::size_t longest = 0;
  for (const Cluster& cluster : clusters()) {
    if (cluster.accelerator.name != accelerator.name) continue;
    for (const std::string& pattern : cluster.systems)
      if (pattern.size() > longest && matches_pattern(pattern, full)) {
        best = &cluster;
        longest = pattern.size();
      }
  }
  return best;
}

}  // namespace config
}  // namespace tofn
