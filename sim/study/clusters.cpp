#include "sim/study/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/study/k_means.hpp"

namespace tofn {
inline namespace study {
namespace {

using Rows = std::span<const StudyRow>;

std::vector<PlanePoint> plane_points(Rows rows) {
  std::vector<PlanePoint> points;
  for (const StudyRow& row : rows)
    points.push_back({std::log2(row.accelerators()), row.relative_efficiency});
  return points;
}

SystemCluster cluster_of(Rows rows, const Labels& labels, std::size_t label) {
  SystemCluster cluster;
  double sum_of_logs = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (labels[i] != label) continue;
    const int accelerators = rows[i].accelerators();
    const double efficiency = rows[i].relative_efficiency;
    const bool is_first = cluster.members.empty();
    cluster.members.push_back(i);
    sum_of_logs += std::log2(accelerators);
    cluster.centre_efficiency += efficiency;
    cluster.fewest = is_first ? accelerators : std::min(cluster.fewest, accelerators);
    cluster.most = std::max(cluster.most, accelerators);
    cluster.efficiency.low = is_first ? efficiency : std::min(cluster.efficiency.low, efficiency);
    cluster.efficiency.high = is_first ? efficiency : std::max(cluster.efficiency.high, efficiency);
  }
  const auto count = static_cast<double>(cluster.members.size());
  cluster.centre_accelerators = std::exp2(sum_of_logs / count);
  cluster.centre_efficiency /= count;
  return cluster;
}

std::set<std::string> accelerators_of(Rows rows, const SystemCluster& cluster) {
  std::set<std::string> names;
  for (const std::size_t member : cluster.members) names.insert(rows[member].accelerator);
  return names;
}

bool overlap_in_size(const SystemCluster& a, const SystemCluster& b) {
  return a.fewest <= b.most && b.fewest <= a.most;
}

bool overlap_in_efficiency(const SystemCluster& a, const SystemCluster& b) {
  return a.efficiency.low <= b.efficiency.high && b.efficiency.low <= a.efficiency.high;
}

/// True if no accelerator of the cluster occurs in another one.
bool has_its_own_accelerators(Rows rows, const std::vector<SystemCluster>& clusters,
                              const SystemCluster& cluster) {
  const auto names = accelerators_of(rows, cluster);
  return std::ranges::all_of(clusters, [&](const SystemCluster& other) {
    if (&other == &cluster) return true;
    const auto others = accelerators_of(rows, other);
    return std::ranges::none_of(names,
                                [&](const std::string& name) { return others.contains(name); });
  });
}

/// Names each cluster by what separates it: accelerators that no other cluster has, else the size
/// or else the E' by which it is apart from all other clusters that accelerators do not explain.
void name_clusters(Rows rows, std::vector<SystemCluster>& clusters) {
  for (SystemCluster& cluster : clusters)
    if (has_its_own_accelerators(rows, clusters, cluster))
      cluster.name = fmt::format("only {}", fmt::join(accelerators_of(rows, cluster), ", "));
  std::vector<const SystemCluster*> unexplained;
  for (const SystemCluster& cluster : clusters)
    if (cluster.name.empty()) unexplained.push_back(&cluster);
  for (SystemCluster& cluster : clusters) {
    if (!cluster.name.empty()) continue;
    const auto is_apart = [&](auto overlap) {
      return std::ranges::none_of(unexplained, [&](const auto* other) {
        return other != &cluster && overlap(cluster, *other);
      });
    };
    const std::string size = cluster.fewest == cluster.most
                                 ? fmt::format("N {}", cluster.most)
                                 : fmt::format("N {}-{}", cluster.fewest, cluster.most);
    const std::string efficiency =
        fmt::format("E' {:.2f}-{:.2f}", cluster.efficiency.low, cluster.efficiency.high);
    cluster.name = is_apart(overlap_in_size)         ? size
                   : is_apart(overlap_in_efficiency) ? efficiency
                                                     : size + ", " + efficiency;
  }
}

std::vector<SystemCluster> clusters_of(Rows rows, const Labels& labels, int count) {
  std::vector<SystemCluster> clusters;
  for (std::size_t label = 0; label < static_cast<std::size_t>(count); ++label)
    if (std::ranges::find(labels, label) != labels.end())
      clusters.push_back(cluster_of(rows, labels, label));
  std::ranges::stable_sort(clusters, [](const auto& a, const auto& b) {
    return a.centre_accelerators < b.centre_accelerators;
  });
  name_clusters(rows, clusters);
  return clusters;
}

}  // namespace

std::optional<ClusterSearch> cluster_systems(Rows rows, std::optional<int> wanted,
                                             std::uint64_t seed) {
  const auto points = plane_points(rows);
  const std::set<PlanePoint> distinct(points.begin(), points.end());
  // As many clusters as points are meaningless, because each point would be its own.
  const int possible = static_cast<int>(distinct.size()) - 1;
  if (possible < wanted.value_or(2)) return {};
  const auto scaled = standardised(points);
  ClusterSearch search;
  Labels kept;
  int kept_count = 0;
  const int last = wanted.value_or(std::min(possible, most_clusters));
  for (int count = wanted.value_or(2); count <= last; ++count) {
    const Labels labels = k_means(scaled, static_cast<std::size_t>(count), seed);
    const double score = silhouette(scaled, labels);
    search.silhouettes.emplace_back(count, score);
    if (!kept.empty() && score <= search.silhouette) continue;
    search.silhouette = score;
    kept = labels;
    kept_count = count;
  }
  search.clusters = clusters_of(rows, kept, kept_count);
  return search;
}

}  // namespace study
}  // namespace tofn
