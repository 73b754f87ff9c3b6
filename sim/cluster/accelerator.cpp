#include "sim/cluster/accelerator.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sim/cluster/best_products.hpp"

namespace tofn {
inline namespace cluster {

bool Accelerator::has(Precision precision) const {
  return peak[static_cast<std::size_t>(precision)].has_value();
}

Precision Accelerator::computes_in(Precision request) const {
  using enum Precision;
  // bf16 comes before fp16 because it needs no loss scaling, like the narrow formats that it
  // replaces.
  static constexpr std::array narrow_to_wide{Fp4, Fp8, Bf16, Fp16, Tf32, Fp32};
  const auto it_has = [&](Precision each) { return has(each); };
  if (has(request)) return request;
  const auto* from = std::ranges::find(narrow_to_wide, request == Fp16 ? Bf16 : request);
  if (const auto* wider = std::find_if(from, narrow_to_wide.end(), it_has);
      wider != narrow_to_wide.end())
    return *wider;
  const auto widest = std::find_if(narrow_to_wide.rbegin(), narrow_to_wide.rend(), it_has);
  assert(widest != narrow_to_wide.rend() &&
         "an accelerator has at least one peak rate: the reader checks it");
  return *widest;
}

PassPrecision Accelerator::computes_in(PassPrecision request) const {
  return {.matmul = computes_in(request.matmul), .attention = computes_in(request.attention)};
}

FlopsPerSecond Accelerator::peak_at(Precision precision) const {
  return peak[static_cast<std::size_t>(computes_in(precision))]->value;
}

Watts Accelerator::power_at_most() const {
  return power_limit ? std::min(power_limit->value, power.value) : power.value;
}

// A higher clock costs more than its share of power, because the voltage rises with it. The
// exponent lies between those of two pairs of products on one die: 668 and 785 TFLOP/s on MI300X of
// 750 W and MI325X of 1,000 W (github.com/stas00/ml-engineering@744d01e,
// compute/accelerator/README.md) give 0.56; 499.5 on the 114 multiprocessors of H100 PCIe at 350 W
// and 792.1 on the 132 of H100 SXM at 700 W (github.com/mag-/gpu_benchmark, README.md) give 0.45
// per multiprocessor.
double Accelerator::rate_under_limit() const {
  constexpr double exponent = 0.5;
  if (!power_limit) return 1;
  return std::pow(power_at_most() / power.value, exponent);
}

FlopsPerSecond Accelerator::best_product_at(Precision precision) const {
  const auto& measured = this->*cluster::best_product_in(computes_in(precision)).figure;
  return rate_under_limit() * (measured ? measured->value : peak_at(precision));
}

}  // namespace cluster
}  // namespace tofn
