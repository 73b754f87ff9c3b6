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
  double cost_weight = 0.50;  ///< w of time x cost^w, with a cost of N x time
};

/// Size from which on a series is not worth its accelerators, by one definition.
struct Knee {
  std::string_view name;
  std::string definition;           ///< for people, with its numbers
  std::optional<int> accelerators;  ///< absent if it is not among the sizes
  double between = 0;               ///< interpolated between the sizes if there is a knee
  bool is_first = false;            ///< the smallest size: the knee may be below it
  bool is_last = false;             ///< the largest size: the knee may be beyond it
};

/// Relative gain of speed from one point to another, for each doubling between them.
double gain_per_doubling(const ScalingPoint& from, const ScalingPoint& to);

/// Knees of a series with one point per size, ascending. Of equal ones, the smallest.
/// - product: the most speedup x efficiency, which is the most speed for time x cost;
/// - gain: the first size from which the next doubling gains less than the stated share;
/// - cost: the least time x cost^w; w = 1 is `product` again, w = 0 the least time.
/// Between sizes, it is the vertex of the parabola through the best size and its neighbours, over
/// log N; for `gain` it is where the line from the gain at the size before to that at the knee
/// passes the share.
std::vector<Knee> knees_of(std::span<const ScalingPoint>, const KneeOptions&);

}  // namespace scaling
}  // namespace tofn
