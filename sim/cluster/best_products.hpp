#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/accelerator.hpp"

namespace tofn {
inline namespace cluster {

/// Measured rate of large matrix products relative to a peak, as a figure of accelerators.
struct BestProduct {
  std::string_view key;  ///< in accelerators' files
  Precision precision;   ///< of the peak
  std::optional<Sourced<FlopsPerSecond>> Accelerator::*figure;
};
inline constexpr std::array best_products{
    BestProduct{"best_product", Precision::Bf16, &Accelerator::best_product},
    BestProduct{"best_fp8_product", Precision::Fp8, &Accelerator::best_fp8_product},
    BestProduct{"best_fp4_product", Precision::Fp4, &Accelerator::best_fp4_product}};

/// Figure for products in that precision; formats of 16 bits and more share one.
const BestProduct& best_product_in(Precision);

/// Measured figures of the accelerator that are shares of its peak in that precision. If the peak
/// is varied they scale with it, because a chip of another peak is assumed to reach the same share.
std::vector<BestProduct> best_products_of_peak(const Accelerator&, Precision);

}  // namespace cluster
}  // namespace tofn
