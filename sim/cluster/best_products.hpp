#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/cluster/accelerator.hpp"

namespace tofn {
inline namespace cluster {

/// What large matrix products were measured to reach of a peak, as a figure of accelerators.
struct BestProduct {
  std::string_view key;  ///< of their files
  Precision precision;   ///< whose peak it is a share of
  std::optional<Sourced<FlopsPerSecond>> Accelerator::*figure;
};
inline constexpr std::array best_products{
    BestProduct{"best_product", Precision::Bf16, &Accelerator::best_product},
    BestProduct{"best_fp8_product", Precision::Fp8, &Accelerator::best_fp8_product},
    BestProduct{"best_fp4_product", Precision::Fp4, &Accelerator::best_fp4_product}};

/// Of products in that precision: those of 16 bits and more go by the one of 16 bits.
const BestProduct& best_product_in(Precision);

/// Those that were measured of the accelerator and are shares of its peak in that precision. A chip
/// of another peak is taken to reach the same share: they move with it.
std::vector<BestProduct> best_products_of_peak(const Accelerator&, Precision);

}  // namespace cluster
}  // namespace tofn
