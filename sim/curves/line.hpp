#pragma once

#include <span>

#include "sim/curves/samples.hpp"

namespace tofn {
inline namespace curves {

/// t = latency + size * per_byte.
struct Line {
  double latency = 0;   ///< seconds
  double per_byte = 0;  ///< seconds per byte
  double at(double size) const { return latency + size * per_byte; }
};

/// Least squares of relative errors with both terms at least 0. Needs at least one sample.
Line fit_line(std::span<const Sample> samples);

/// Sum of squared relative errors.
double misfit(const Line& line, std::span<const Sample> samples);

}  // namespace curves
}  // namespace tofn
