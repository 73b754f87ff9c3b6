#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/study/workload_study.hpp"

namespace tofn {
inline namespace study {

/// Systems that K-means groups, and what separates them from the others.
struct SystemCluster {
  std::string name;                  ///< such as `only B200`, `N 16-128`, `E' 1.08-1.34`
  std::vector<std::size_t> members;  ///< indices of rows
  double centre_accelerators = 0;    ///< geometric mean
  double centre_efficiency = 0;      ///< mean E'
  int fewest = 0, most = 0;          ///< of accelerators
  Interval efficiency;               ///< least and greatest E'
};

struct ClusterSearch {
  std::vector<std::pair<int, double>> silhouettes;  ///< by number of clusters
  double silhouette = 0;                            ///< of the selected number
  std::vector<SystemCluster> clusters;              ///< by centre, the smallest systems first
};

/// Limit of the clusters: more would leave five of a workload's 25 to 29 rows for each.
inline constexpr int most_clusters = 5;

/// K-means of (log2 N, E'), both standardised, with `wanted` clusters, or with the number from 2 to
/// `most_clusters` that has the greatest silhouette. Absent if the rows have too few distinct
/// points.
std::optional<ClusterSearch> cluster_systems(std::span<const StudyRow>, std::optional<int> wanted,
                                             std::uint64_t seed);

}  // namespace study
}  // namespace tofn
