#pragma once

#include <optional>
#include <span>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace scaling {

/// One system's time to train.
struct ScalingPoint {
  int accelerators = 0;
  double minutes = 0;
};

/// The study's reference system: the one with the fewest accelerators, and of those the slowest.
/// Cortes, Juiz, Bermejo, SARTECO 2025, arXiv 2509.03263. Needs at least one point.
ScalingPoint reference_point(std::span<const ScalingPoint>);

double speedup(const ScalingPoint&, const ScalingPoint& reference);

/// The study's E' = (T_ref/T) / (N/N_ref). If the reference is of another generation, it compares
/// different accelerators.
double relative_efficiency(const ScalingPoint&, const ScalingPoint& reference);

/// E = (T_ref/T)/N.
double efficiency(const ScalingPoint&, const ScalingPoint& reference);

/// Minutes by linear scaling from the median of `scores` on `from` accelerators; absent without
/// scores.
std::optional<double> linear_scaling_minutes(Values scores, int from, int accelerators);

/// Scaling efficiency SE = E(N)/E(N_base) against the median of `base_minutes` on `base`
/// accelerators; absent without them.
std::optional<double> scaling_efficiency(const ScalingPoint&, Values base_minutes, int base);

}  // namespace scaling
}  // namespace tofn
