#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/curves/samples.hpp"

namespace tofn {
inline namespace curves {

/// The times (s) that a form fitted to the samples gives at some sizes (bytes, ascending).
using Predict = std::vector<double> (*)(std::span<const Sample> samples,
                                        std::span<const double> sizes);

struct CurveForm {
  std::string_view name;
  Predict predict;
};

/// Between two rows t = a + S/b through both, which follows the bend of latency into bandwidth; a
/// line or a monotone cubic (Fritsch & Carlson 1980) in log-log lies above it. Beyond the ends the
/// line of the last two rows, a and 1/b not below 0.
std::vector<double> predict_interpolation(std::span<const Sample> samples,
                                          std::span<const double> sizes);

/// t = a + S/b + sum_i E_i S / (S + S_i), nothing below 0: each term is a step of up to E_i around
/// S_i, on a grid of powers of two. Relative errors are minimised.
std::vector<double> predict_smooth(std::span<const Sample> samples, std::span<const double> sizes);

/// t = a_k + S/b_k on `count` runs of sizes; where they break is found by dynamic programming over
/// relative errors.
std::vector<double> predict_regimes(std::span<const Sample> samples, std::span<const double> sizes,
                                    std::size_t count);

/// Every form that is tried, the preferred one first.
std::span<const CurveForm> curve_forms();

}  // namespace curves
}  // namespace tofn
