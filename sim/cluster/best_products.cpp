#include "sim/cluster/best_products.hpp"

#include <algorithm>

namespace tofn {
inline namespace cluster {

const BestProduct& best_product_in(Precision precision) {
  const Precision of = precision >= Precision::Fp8 ? precision : Precision::Bf16;
  return *std::ranges::find(best_products, of, &BestProduct::precision);
}

std::vector<BestProduct> best_products_of_peak(const Accelerator& accelerator, Precision peak) {
  std::vector<BestProduct> found;
  for (const BestProduct& each : best_products)
    if (accelerator.*each.figure && accelerator.computes_in(each.precision) == peak)
      found.push_back(each);
  return found;
}

}  // namespace cluster
}  // namespace tofn
