#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/config/lazy_folder.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace yaml {
class YamlNode;
}
inline namespace config {

/// Everything under a configs folder, found by name or alias. References stay valid for the
/// library's lifetime. Files are read on first use, and a mistake in one is then an InputError.
class Library {
 public:
  /// Opens accelerators/, clusters/ and workloads/. InputError if one of them is not a folder.
  static Library load(const std::filesystem::path& configs);

  /// All objects of each folder; reads all its files.
  const std::deque<Accelerator>& accelerators() const { return accelerators_->all(); }
  const std::deque<LinkFamily>& link_families() const { return link_families_->all(); }
  const std::deque<Cluster>& clusters() const { return clusters_->all(); }
  const std::deque<Workload>& workloads() const { return workloads_->all(); }

  /// Finds by name or alias, without regard to case, vendor prefix or punctuation; nullptr if
  /// unknown.
  const Accelerator* find_accelerator(std::string_view name) const;
  const Workload* find_workload(std::string_view name) const;
  const Cluster* find_cluster(std::string_view name) const;

  /// Returns the workloads whose steps are those of the named model, which their files mention.
  std::vector<const Workload*> workloads_of(std::string_view model) const;

  /// Returns the workload of a name or alias; InputError with the valid names if unknown.
  const Workload& workload(std::string_view name) const;
  /// Also takes the path of a workload file (ending in .yaml); the same file gives the same
  /// workload.
  const Workload& workload_or_file(std::string_view name_or_file);
  /// Also takes the path of a cluster file (ending in .yaml).
  const Cluster& cluster(std::string_view name_or_file);

  /// Reads a cluster from a document, with the accelerators and links of this library.
  Cluster read_cluster(const YamlNode& root) const;

  /// Returns the cluster whose pattern matches `organisation/system` best (the longest pattern),
  /// among clusters of that accelerator; nullptr if none matches.
  const Cluster* cluster_of_system(std::string_view organisation, std::string_view system,
                                   const Accelerator&) const;

 private:
  std::filesystem::path configs_;
  std::unique_ptr<LazyFolder<Accelerator>> accelerators_;
  std::unique_ptr<LazyFolder<LinkFamily>> link_families_;
  std::unique_ptr<LazyFolder<Cluster>> clusters_;
  std::unique_ptr<LazyFolder<Workload>> workloads_;
  std::map<std::filesystem::path, const Workload*> workload_files_;  ///< opened by path
};

/// True if the text matches; `*` stands for any text, and case does not matter.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace config
}  // namespace tofn
