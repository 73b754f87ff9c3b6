#pragma once

#include <string_view>
#include <vector>

#include "sim/scaling/scaled_point.hpp"

namespace tofn {
inline namespace scaling {

/// One reason why a job costs more accelerator-time on more accelerators.
struct GrowthCause {
  std::string_view name;
  double share = 0;  ///< of the growth; all sum to 1, those that shrank are negative
};

/// Where the accelerator-time (N x time) that `to` takes beyond `from` goes, the greatest first:
/// more samples to target at the old cost of a sample; at the new samples what a sample costs more
/// of each part of a step; evaluation, start-up and scoring. Exact: they sum to the growth. Empty
/// where it does not grow.
std::vector<GrowthCause> causes_of_growth(const ScaledPoint& from, const ScaledPoint& to);

/// N x time of `to` over that of `from`, less 1.
double growth_of_accelerator_time(const ScaledPoint& from, const ScaledPoint& to);

}  // namespace scaling
}  // namespace tofn
