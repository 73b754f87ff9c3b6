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
inline namespace config {

class YamlNode;

/// Everything under a configs folder, found by name or alias. References stay valid while it lives.
/// Files are read when they are asked for: what a file has wrong is an InputError then.
class Library {
 public:
  /// Of accelerators/, clusters/ and workloads/. InputError where one of them is no folder.
  static Library load(const std::filesystem::path& configs);

  /// All there are.
  const std::deque<Accelerator>& accelerators() const { return accelerators_->all(); }
  const std::deque<LinkFamily>& link_families() const { return link_families_->all(); }
  const std::deque<Cluster>& clusters() const { return clusters_->all(); }
  const std::deque<Workload>& workloads() const { return workloads_->all(); }

  /// By name or alias without regard to case, vendor prefix or punctuation; nullptr if unknown.
  const Accelerator* find_accelerator(std::string_view name) const;
  const Workload* find_workload(std::string_view name) const;
  const Cluster* find_cluster(std::string_view name) const;

  /// Workloads whose steps are a model's, by the model's name, which their files mention.
  std::vector<const Workload*> workloads_of(std::string_view model) const;

  /// As above; InputError with the valid names if unknown.
  const Workload& workload(std::string_view name) const;
  /// A path to a workload file (it ends in .yaml) works as well; the same file is the same
  /// workload.
  const Workload& workload_or_file(std::string_view name_or_file);
  /// A path to a cluster file (it ends in .yaml) works as well.
  const Cluster& cluster(std::string_view name_or_file);

  /// The cluster of a document, on the accelerators and links known here.
  Cluster read_cluster(const YamlNode& root) const;

  /// The cluster whose pattern `organisation/system` matches best (the longest one) among those
  /// with that accelerator; nullptr if none does.
  const Cluster* cluster_of_system(std::string_view organisation, std::string_view system,
                                   const Accelerator&) const;

 private:
  std::unique_ptr<LazyFolder<Accelerator>> accelerators_;
  std::unique_ptr<LazyFolder<LinkFamily>> link_families_;
  std::unique_ptr<LazyFolder<Cluster>> clusters_;
  std::unique_ptr<LazyFolder<Workload>> workloads_;
  std::map<std::filesystem::path, const Workload*> workload_files_;  ///< read one by one
};

/// `*` stands for any text; case does not matter.
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace config
}  // namespace tofn
