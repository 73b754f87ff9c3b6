#pragma once

#include <cstdint>
#include <span>

#include "sim/scaling/knee.hpp"

namespace tofn {

/// The knee by the study's method: K-means of (log2 N, E') of a series, standardised, with the
/// number of clusters from 2 to 5 that has the greatest silhouette; the largest size in the cluster
/// of the smallest one. Absent where fewer than three sizes are given.
Knee k_means_knee(std::span<const ScalingPoint>, std::uint64_t seed);

}  // namespace tofn
