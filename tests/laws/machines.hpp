#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/communicator.hpp"
#include "sim/config/library.hpp"
#include "sim/core/error.hpp"

// Inputs of the laws: every cluster file, and sets of ranks placed on it.
namespace tofn::test {

inline const Library& library() {
  static const Library loaded = Library::load(TOFN_SOURCE_DIR "/configs");
  return loaded;
}

/// A copy of a shipped cluster, for tests to edit.
inline Cluster machine(std::string_view name) {
  const Cluster* found = library().find_cluster(name);
  if (found == nullptr) throw InputError("no such cluster: " + std::string(name));
  return *found;
}

inline bool fits(const Cluster& cluster, int job_ranks) {
  return cluster.network.has_value() || job_ranks <= cluster.scale_up.domain_accelerators.value;
}

/// True if ranks of a node communicate through host memory. NICs are then faster, so that more
/// nodes may take less time.
inline bool is_slower_inside(const Cluster& cluster) {
  return cluster.scale_up.kind == ScaleUpKind::HostMemory;
}

/// Rank counts around the sizes of nodes and domains, and far above them.
inline constexpr std::array rank_counts{2, 3, 4, 6, 8, 12, 16, 32, 64, 72, 144, 1024, 4608};

/// Sets of ranks of whole jobs: all ranks, every second, every fourth, one per node.
inline std::vector<Communicator> communicators(const Cluster& cluster) {
  std::vector<Communicator> all;
  for (const int job : rank_counts)
    for (const int stride : {1, 2, 4, cluster.accelerators_per_node.value})
      if (fits(cluster, job) && job % stride == 0 && job / stride >= 2)
        all.push_back(place({.stride = stride, .count = job / stride}, cluster, job));
  return all;
}

/// True if every domain has as many ranks as the first.
inline bool domains_are_even(const Communicator& c) {
  return c.ranks == c.ranks_per_domain * c.domains;
}

}  // namespace tofn::test
