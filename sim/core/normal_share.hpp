#pragma once

#include <cmath>
#include <numbers>

namespace tofn {

/// Share of standard normal values below `x`.
inline double normal_share_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

}  // namespace tofn
