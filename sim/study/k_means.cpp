#include "sim/study/k_means.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "sim/core/random.hpp"

namespace tofn {
inline namespace study {
namespace {

using Points = std::span<const PlanePoint>;

/// Enough for a few dozen points: results with different seeds agree.
constexpr int starts = 100;

double squared_distance(const PlanePoint& a, const PlanePoint& b) {
  const double x = a[0] - b[0];
  const double y = a[1] - b[1];
  return x * x + y * y;
}

std::size_t nearest(const PlanePoint& point, Points centres) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < centres.size(); ++c)
    if (squared_distance(point, centres[c]) < squared_distance(point, centres[best])) best = c;
  return best;
}

/// Index drawn in proportion to weights that are not all 0.
std::size_t drawn(std::span<const double> weights, Random& random) {
  double left = 0;
  for (const double weight : weights) left += weight;
  left *= random.uniform();
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) break;
  }
  return last;
}

/// k-means++: draws each next centre with a probability proportional to the squared distance from
/// the nearest one.
std::vector<PlanePoint> first_centres(Points points, std::size_t k, Random& random) {
  std::vector<double> weights(points.size(), 1);
  std::vector<PlanePoint> centres{points[drawn(weights, random)]};
  while (centres.size() < k) {
    for (std::size_t i = 0; i < points.size(); ++i)
      weights[i] = squared_distance(points[i], centres[nearest(points[i], centres)]);
    centres.push_back(points[drawn(weights, random)]);
  }
  return centres;
}

Labels labels_of(Points points, Points centres) {
  Labels labels;
  labels.reserve(points.size());
  for (const PlanePoint& point : points) labels.push_back(nearest(point, centres));
  return labels;
}

/// Moves centres to the means of their clusters; a cluster without points keeps its centre.
void move_centres(Points points, const Labels& labels, std::vector<PlanePoint>& centres) {
  std::vector<PlanePoint> sums(centres.size(), PlanePoint{});
  std::vector<double> counts(centres.size(), 0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    sums[labels[i]][0] += points[i][0];
    sums[labels[i]][1] += points[i][1];
    ++counts[labels[i]];
  }
  for (std::size_t c = 0; c < centres.size(); ++c)
    if (counts[c] > 0) centres[c] = {sums[c][0] / counts[c], sums[c][1] / counts[c]};
}

double mean_distance(Points points, const Labels& labels, std::size_t from, std::size_t cluster) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (labels[i] != cluster || i == from) continue;
    sum += std::sqrt(squared_distance(points[i], points[from]));
    ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<PlanePoint> standardised(Points points) {
  std::vector<PlanePoint> result(points.begin(), points.end());
  for (std::size_t d = 0; d < 2; ++d) {
    double mean = 0;
    double variance = 0;
    for (const PlanePoint& point : points) mean += point[d] / static_cast<double>(points.size());
    for (const PlanePoint& point : points)
      variance += (point[d] - mean) * (point[d] - mean) / static_cast<double>(points.size());
    const double scale = variance > 0 ? 1 / std::sqrt(variance) : 0;
    for (PlanePoint& point : result) point[d] = (point[d] - mean) * scale;
  }
  return result;
}

Labels k_means(Points points, std::size_t k, std::uint64_t seed) {
  assert(k >= 1 && k <= points.size());
  Random random(seed);
  Labels best;
  double least = std::numeric_limits<double>::infinity();
  for (int start = 0; start < starts; ++start) {
    auto centres = first_centres(points, k, random);
    Labels labels;
    for (Labels next = labels_of(points, centres); next != labels;
         next = labels_of(points, centres)) {
      labels = std::move(next);
      move_centres(points, labels, centres);
    }
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      sum += squared_distance(points[i], centres[labels[i]]);
    if (sum >= least) continue;
    least = sum;
    best = std::move(labels);
  }
  return best;
}

double silhouette(Points points, const Labels& labels) {
  const std::size_t k = *std::ranges::max_element(labels) + 1;
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double inside = mean_distance(points, labels, i, labels[i]);
    if (std::isinf(inside)) continue;
    double outside = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < k; ++c)
      if (c != labels[i]) outside = std::min(outside, mean_distance(points, labels, i, c));
    // Equal points in two clusters: neither fits better.
    if (std::max(inside, outside) > 0) sum += (outside - inside) / std::max(inside, outside);
  }
  return sum / static_cast<double>(points.size());
}

}  // namespace study
}  // namespace tofn
