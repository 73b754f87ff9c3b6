#pragma once

#include <string_view>
#include <vector>

#include "sim/scaling/scaled_point.hpp"

namespace tofn {
inline namespace scaling {

/// One reason why a job costs more accelerator-time on more accelerators.
struct GrowthCause {
  std::string_view name;
  double share = 0;  ///< of the growth; they sum to 1, and causes that shrank are negative
};

/// Causes of the growth of accelerator-time (N x time) from `from` to `to`, the greatest first:
/// more samples to target at the old cost of a sample; at the new number of samples, the higher
/// cost of a sample in each part of a step; evaluation, start-up and scoring. They sum exactly to
/// the growth. Empty if it does not grow.
std::vector<GrowthCause> causes_of_growth(const ScaledPoint& from, const ScaledPoint& to);

/// N x time of `to` over that of `from`, less 1.
double growth_of_accelerator_time(const ScaledPoint& from, const ScaledPoint& to);

}  // namespace scaling
}  // namespace tofn
