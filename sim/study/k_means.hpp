#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/scaling/knee.hpp"

namespace tofn {
inline namespace study {

/// A point of the plane (log2 N, E').
using PlanePoint = std::array<double, 2>;

/// Shifts both coordinates to mean 0 and scales them to a standard deviation of 1 (n in the
/// divisor); a constant coordinate becomes 0.
std::vector<PlanePoint> standardised(std::span<const PlanePoint>);

/// Cluster of each point, 0 to k-1.
using Labels = std::vector<std::size_t>;

/// K-means by Lloyd's iteration from k-means++ (Arthur & Vassilvitskii, SODA 2007): the least sum
/// of squares of 100 starts. Equal seeds give equal labels on every machine, unlike the k-means of
/// mlpack or OpenCV, whose random numbers change with their version. Needs k >= 1 and as many
/// distinct points.
Labels k_means(std::span<const PlanePoint>, std::size_t k, std::uint64_t seed);

/// Mean silhouette (Rousseeuw, "Silhouettes", J. Comput. Appl. Math. 20, 1987) of labels with at
/// least two clusters: 1 is best, below 0 wrong; a point alone in its cluster counts as 0.
double silhouette(std::span<const PlanePoint>, const Labels&);

/// The knee by the study's method: the largest size in the cluster of the smallest one, by K-means
/// of (log2 N, E') of a series, standardised, with the number of clusters from 2 to 5 that has the
/// greatest silhouette. Absent for fewer than three sizes.
Knee k_means_knee(std::span<const ScalingPoint>, std::uint64_t seed);

}  // namespace study
}  // namespace tofn
