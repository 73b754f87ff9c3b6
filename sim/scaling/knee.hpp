#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace scaling {

struct KneeOptions {
  double least_gain = 0.30;   ///< of speed by a doubling, as a share
  double cost_weight = 0.50;  ///< w of time x cost^w, cost being N x time
};

/// Where a series stops being worth its accelerators, by one definition.
struct Knee {
  std::string_view name;
  std::string definition;           ///< for people, with its figures
  std::optional<int> accelerators;  ///< absent: none among the sizes of the series
  double between = 0;               ///< interpolated between the sizes, where there is a knee
  bool is_first = false;            ///< the smallest size: it may lie below
  bool is_last = false;             ///< the largest size: it may lie beyond
};

/// Relative gain of speed from one point to the next, for each doubling between them.
double gain_per_doubling(const ScalingPoint& from, const ScalingPoint& to);

/// The knees that need nothing but the series; one point a size, ascending. Of equals the smallest.
/// - product: the most speedup x efficiency, which is the most speed for time x cost;
/// - gain: the first size from which the next doubling gains less than the stated share;
/// - cost: the least time x cost^w; w = 1 is `product` again, w = 0 the least time.
/// Between sizes: the vertex of the parabola through the best size and its neighbours, over log N;
/// of `gain` where the line from the gain at the size before to that at the knee passes the share.
std::vector<Knee> knees_of(std::span<const ScalingPoint>, const KneeOptions&);

}  // namespace scaling
}  // namespace tofn
