#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/scaling/knee.hpp"

namespace tofn {
inline namespace study {

/// A point of the plane.
using PlanePoint = std::array<double, 2>;

/// Both coordinates shifted to mean 0 and scaled to a standard deviation of 1 (n in the divisor);
/// a coordinate that never differs becomes 0.
std::vector<PlanePoint> standardised(std::span<const PlanePoint>);

/// The cluster of each point, 0 to k-1.
using Labels = std::vector<std::size_t>;

/// K-means by Lloyd's iteration from k-means++ (Arthur & Vassilvitskii, SODA 2007), the least sum
/// of squares of 100 starts. Equal seeds, equal labels, on every machine: the k-means of mlpack or
/// OpenCV draw from streams that change with their version. Needs k >= 1 and as many distinct
/// points.
Labels k_means(std::span<const PlanePoint>, std::size_t k, std::uint64_t seed);

/// The mean silhouette (Rousseeuw, "Silhouettes", J. Comput. Appl. Math. 20, 1987) of labels that
/// use at least two clusters: 1 is best, below 0 wrong; a point alone in its cluster counts 0.
double silhouette(std::span<const PlanePoint>, const Labels&);

/// The knee by the study's method: K-means of (log2 N, E') of a series, standardised, with the
/// number of clusters from 2 to 5 that has the greatest silhouette; the largest size in the cluster
/// of the smallest one. Absent where fewer than three sizes are given.
Knee k_means_knee(std::span<const ScalingPoint>, std::uint64_t seed);

}  // namespace study
}  // namespace tofn
