#include "sim/config/library.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "sim/config/load.hpp"
#include "sim/config/load_link_family.hpp"
#include "sim/config/named_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> needed_files(const fs::path& configs, std::string_view folder) {
  std::error_code error;
  fs::directory_iterator(configs / folder, error);
  if (error)
    throw InputError({(configs / folder).string()}, "",
                     "cannot be read: " + error.message() +
                         "; --configs or TOFN_CONFIGS says where the configs are");
  return files_in(configs, folder);
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Letters and digits in lower case, without a vendor in front.
std::string key_of(std::string_view name) {
  std::string key;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) key += lower(c);
  static constexpr std::array vendors{"nvidia", "amd", "intelr", "intel", "google"};
  for (const std::string_view vendor : vendors)
    if (key.starts_with(vendor) && key.size() > vendor.size()) return key.substr(vendor.size());
  return key;
}

template <class Things>
auto find_by_name(const Things& things, std::string_view name) -> decltype(&things.front()) {
  const std::string wanted = key_of(name);
  for (const auto& thing : things) {
    if (key_of(thing.name) == wanted) return &thing;
    if constexpr (requires { thing.aliases; })
      for (const auto& alias : thing.aliases)
        if (key_of(alias) == wanted) return &thing;
  }
  return nullptr;
}

template <class Things>
[[noreturn]] void refuse(std::string_view kind, std::string_view name, const Things& things) {
  std::vector<std::string> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  throw InputError(unknown_name(kind, name, names));
}

template <class Things>
void refuse_repeated(const Things& things, const fs::path& file) {
  for (std::size_t i = 0; i + 1 < things.size(); ++i)
    if (key_of(things[i].name) == key_of(things.back().name))
      throw InputError({file.string()}, "name", "'" + things.back().name + "' is taken already");
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  // Greedy with one way back: after a mismatch the last star takes one character more.
  std::size_t p = 0;
  std::size_t t = 0;
  std::optional<std::size_t> star;
  std::size_t taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && lower(pattern[p]) == lower(text[t])) {
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
  Library library;
  library.configs_ = configs;
  for (const auto& file : needed_files(configs, "accelerators")) {
    library.accelerators_.push_back(load_accelerator(file));
    refuse_repeated(library.accelerators_, file);
  }
  library.link_families_ = load_link_families(configs);
  for (const auto& file : needed_files(configs, "clusters")) {
    library.clusters_.push_back(load_cluster(file, library.accelerators_, library.link_families_));
    refuse_repeated(library.clusters_, file);
  }
  for (const auto& file : needed_files(configs, "workloads")) {
    library.workloads_.push_back(load_workload(file, configs));
    refuse_repeated(library.workloads_, file);
  }
  return library;
}

const Accelerator* Library::find_accelerator(std::string_view name) const {
  return find_by_name(accelerators_, name);
}
const Workload* Library::find_workload(std::string_view name) const {
  return find_by_name(workloads_, name);
}
const Cluster* Library::find_cluster(std::string_view name) const {
  return find_by_name(clusters_, name);
}

const Workload& Library::workload(std::string_view name) const {
  if (const Workload* found = find_workload(name)) return *found;
  refuse("workload", name, workloads_);
}

const Workload& Library::workload_or_file(std::string_view name_or_file) {
  if (!name_or_file.ends_with(".yaml")) return workload(name_or_file);
  const fs::path file(name_or_file);
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(file, error);
  const auto known = workload_files_.find(canonical);
  if (known != workload_files_.end()) return *known->second;
  workloads_.push_back(load_workload(file, configs_));
  return *workload_files_.emplace(canonical, &workloads_.back()).first->second;
}

const Cluster& Library::cluster(std::string_view name_or_file) {
  if (name_or_file.ends_with(".yaml")) {
    clusters_.push_back(load_cluster(fs::path(name_or_file), accelerators_, link_families_));
    return clusters_.back();
  }
  if (const Cluster* found = find_cluster(name_or_file)) return *found;
  refuse("cluster", name_or_file, clusters_);
}

const Cluster* Library::cluster_of_system(std::string_view organisation, std::string_view system,
                                          const Accelerator& accelerator) const {
  const std::string full = std::string(organisation) + '/' + std::string(system);
  const Cluster* best = nullptr;
  std::size_t longest = 0;
  for (const Cluster& cluster : clusters_) {
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
