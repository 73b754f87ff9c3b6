#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/study/clusters.hpp"
#include "sim/study/k_means.hpp"

namespace tofn {
inline namespace study {

Knee k_means_knee(std::span<const ScalingPoint> points, std::uint64_t seed) {
  Knee knee{.name = "k-means",
            .definition = "the last of the first cluster of (log2 N, efficiency)",
            .accelerators = {}};
  // As many clusters as points are meaningless, because each point would be its own.
  const int possible = std::min(most_clusters, static_cast<int>(points.size()) - 1);
  if (possible < 2) return knee;
  const ScalingPoint reference = reference_point(points);
  std::vector<PlanePoint> plane;
  for (const ScalingPoint& point : points)
    plane.push_back({std::log2(point.accelerators), relative_efficiency(point, reference)});
  plane = standardised(plane);
  Labels kept;
  double best = 0;
  for (int count = 2; count <= possible; ++count) {
    Labels labels = k_means(plane, static_cast<std::size_t>(count), seed);
    const double score = silhouette(plane, labels);
    if (!kept.empty() && score <= best) continue;
    best = score;
    kept = std::move(labels);
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    if (kept[i] == kept.front()) knee.accelerators = points[i].accelerators;
  knee.between = *knee.accelerators;
  const int clusters = static_cast<int>(*std::ranges::max_element(kept)) + 1;
  knee.definition =
      fmt::format("the last of the first of {} clusters of (log2 N, efficiency)", clusters);
  knee.is_first = knee.accelerators == points.front().accelerators;
  knee.is_last = knee.accelerators == points.back().accelerators;
  return knee;
}

}  // namespace study
}  // namespace tofn
