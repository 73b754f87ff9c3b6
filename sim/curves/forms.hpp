#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sim/curves/samples.hpp"

namespace tofn {
inline namespace curves {

/// Times (s) at `sizes` (bytes, ascending) from a form that is fitted to the samples.
using Predict = std::vector<double> (*)(std::span<const Sample> samples,
                                        std::span<const double> sizes);

struct CurveForm {
  std::string_view name;
  Predict predict;
};

/// Connects two rows by t = a + S/b, which follows the bend from latency to bandwidth; a line or a
/// monotone cubic (Fritsch & Carlson 1980) in log-log lies above it. Beyond the ends it continues
/// the line of the last two rows, with a and 1/b at least 0.
std::vector<double> predict_interpolation(std::span<const Sample> samples,
                                          std::span<const double> sizes);

/// t = a + S/b + sum_i E_i S / (S + S_i), all coefficients at least 0: each term is a step of up to
/// E_i around S_i, on a grid of powers of two. Minimises relative errors.
std::vector<double> predict_smooth(std::span<const Sample> samples, std::span<const double> sizes);

/// t = a_k + S/b_k on `count` ranges of sizes; dynamic programming over relative errors finds their
/// borders.
std::vector<double> predict_regimes(std::span<const Sample> samples, std::span<const double> sizes,
                                    std::size_t count);

/// Every form, the preferred one first.
std::span<const CurveForm> curve_forms();

}  // namespace curves
}  // namespace tofn
