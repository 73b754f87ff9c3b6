#pragma once

#include <span>

namespace tofn {
inline namespace curves {

/// Replaces values by the nearest ones, in least squares, that never fall: pools neighbours until
/// none violates the order (Ayer et al., "An empirical distribution function for sampling with
/// incomplete information", 1955).
void level_falls(std::span<double> values);

}  // namespace curves
}  // namespace tofn
