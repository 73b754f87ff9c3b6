#pragma once

#include <cmath>

namespace tofn {

/// Log-normal about a centre, which stays the median whatever the spread (and may be negative).
struct Distribution {
  double relative_spread = 0;  ///< standard deviation of the logarithm

  /// The draw that stands z standard deviations from the centre.
  double draw(double centre, double z) const { return centre * std::exp(relative_spread * z); }
};

}  // namespace tofn
