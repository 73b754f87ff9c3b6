#include "sim/kernel/kernel_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/cluster/best_products.hpp"

namespace tofn {
inline namespace kernel {
namespace {

struct Tile {
  double rows;
  double columns;

  /// Products per loaded element: a smaller tile reuses less of what it loads.
  constexpr double reuse() const { return rows * columns / (rows + columns); }
};

/// Thread-block tiles of 16-bit products in cuBLAS and CUTLASS (cutlass/library, sm80 tensor ops).
constexpr std::array tiles{Tile{128, 256}, Tile{256, 128}, Tile{128, 128},
                           Tile{128, 64},  Tile{64, 128},  Tile{64, 64}};

/// Rates at which a product's waves compute, and tiles in a wave.
struct Rates {
  FlopsPerSecond flops;
  BytesPerSecond memory;
  double at_once;  ///< 1 if the number of multiprocessors is unknown
};

/// Time of a product in waves of tiles. Idle places of a wave cost as much as busy ones. The
/// epilogue writes C after the main loop, so nothing hides it.
Seconds tiled_time(const Kernel& kernel, const Tile& tile, const Rates& rates) {
  const double count =
      kernel.batch * std::ceil(kernel.m / tile.rows) * std::ceil(kernel.n / tile.columns);
  const double waves = std::ceil(count / rates.at_once);
  // Elements of all multiprocessors together, which share the peak.
  const double elements = waves * rates.at_once * tile.rows * tile.columns;
  const double quality = tile.reuse() / tiles.front().reuse();
  return elements *
         (Flops{2 * kernel.k} / (rates.flops * quality) + Bytes{kernel.written} / rates.memory);
}

/// Measured share of the peak that large products reach; absent if none was measured.
std::optional<double> reached_share(Precision precision, const Accelerator& accelerator) {
  const BestProduct& best = best_product_in(precision);
  const auto& reached = accelerator.*best.figure;
  if (!reached) return {};
  return reached->value / accelerator.peak_at(best.precision);
}

/// Share of the peak that products in 8 and 4 bits reach over the share that those in 16 bits
/// reach. Chips without measurements take H100's (configs/accelerators/h100-sxm.yaml: 1234 of
/// 1978.9 over 758 of 989.4 TFLOP/s).
double narrow_share(Precision precision, const Accelerator& accelerator) {
  constexpr double of_h100 = (1234 / 1978.9) / (758 / 989.4);
  const auto own = reached_share(precision, accelerator);
  const auto wide = reached_share(Precision::Bf16, accelerator);
  return own && wide ? *own / *wide : of_h100;
}

/// Share of the peak that products reach; chips differ in how much of it they can feed and power.
double product_efficiency(Precision precision, const Accelerator& accelerator,
                          const KernelProfile& profile) {
  const double narrow = precision >= Precision::Fp8
                            ? profile.fp8_efficiency.value * narrow_share(precision, accelerator)
                            : 1;
  const double own = profile.product_factors[static_cast<std::size_t>(accelerator.architecture)];
  const double efficiency = profile.gemm_efficiency * own * narrow;
  const auto reached = reached_share(Precision::Bf16, accelerator);
  const double at_best = reached ? *reached / profile.best_product_share.value : 1;
  return accelerator.rate_under_limit() * efficiency * at_best;
}

bool splits_rows(double elements, Precision precision, double bytes) {
  return std::fmod(elements * width_of(precision), bytes) != 0;
}

/// Elements of the first row that is no multiple of `bytes` bytes; 0 if all are. Rows of a linear
/// layer are its inputs and its outputs; for an attention product the smallest dimension counts,
/// which is its heads'.
double split_rows(const Kernel& kernel, Precision precision, double bytes) {
  const double heads = std::min({kernel.m, kernel.n, kernel.k});
  const double inputs = kernel.is_weight_gradient ? kernel.m : kernel.k;
  const std::array linear{kernel.n, inputs};
  const std::array attention{heads, heads};
  for (const double rows : kernel.arithmetic == Arithmetic::Attention ? attention : linear)
    if (splits_rows(rows, precision, bytes)) return rows;
  return 0;
}

/// Slowdown of a product with misaligned rows. Tensor cores on A100 are most efficient with rows
/// that are multiples of 128 bytes; libraries have their normal kernels for multiples of 16
/// (NVIDIA, "Matrix Multiplication Background User's Guide", tensor core requirements).
double alignment_factor(const Kernel& kernel, Precision precision, const KernelProfile& profile) {
  const bool is_attention = kernel.arithmetic == Arithmetic::Attention;
  if (split_rows(kernel, precision, 16) > 0)
    return is_attention ? profile.unaligned_heads_factor.value : profile.unaligned_factor.value;
  return !is_attention && split_rows(kernel, precision, 128) > 0 ? profile.misaligned_factor.value
                                                                 : 1;
}

/// Time to convert operands to 8 or 4 bits. Kernels that move bytes scale and convert a layer's
/// inputs and the gradients of its outputs, for both products that use them. Weights are converted
/// once a step.
Seconds quantise_time(const Kernel& kernel, Precision precision, const Rates& rates,
                      const KernelProfile& profile) {
  if (precision < Precision::Fp8 || kernel.is_weight_gradient) return {};
  return Bytes{profile.quantise_bytes * kernel.batch * kernel.m * kernel.k} / rates.memory;
}

Seconds product_time(const Kernel& kernel, Precision precision, const Accelerator& accelerator,
                     const KernelProfile& profile) {
  const Rates rates{
      .flops = accelerator.peak_at(precision) * product_efficiency(precision, accelerator, profile),
      .memory = accelerator.memory_bandwidth.value * profile.memory_efficiency,
      .at_once = accelerator.multiprocessors ? accelerator.multiprocessors->value : 1.0};
  Seconds best{std::numeric_limits<double>::infinity()};
  for (const Tile& tile : tiles) best = std::min(best, tiled_time(kernel, tile, rates));
  const double operands = width_of(precision) * (kernel.m * kernel.k + kernel.k * kernel.n);
  const Bytes matrices{kernel.batch * (operands + kernel.written * kernel.m * kernel.n)};
  const Bytes traffic = kernel.bytes > Bytes{} ? kernel.bytes : matrices;
  const double factor = alignment_factor(kernel, precision, profile);
  return std::max(factor * best, traffic / rates.memory) +
         quantise_time(kernel, precision, rates, profile);
}

Precision precision_of(const Kernel& kernel, PassPrecision precision) {
  if (kernel.is_scan) return pass_precision(precision.matmul, false).attention;
  return kernel.arithmetic == Arithmetic::Attention ? precision.attention : precision.matmul;
}

bool is_fused(const Kernel& kernel) {
  return kernel.arithmetic == Arithmetic::Attention && kernel.bytes > Bytes{};
}

Seconds traffic_time(Bytes bytes, const Accelerator& accelerator, const KernelProfile& profile) {
  return bytes / (accelerator.memory_bandwidth.value * profile.memory_efficiency);
}

Seconds fused_time(const Kernel& kernel, Precision precision, const Accelerator& accelerator,
                   const KernelProfile& profile) {
  const Flops work{2 * kernel.m * kernel.n * kernel.k * kernel.batch};
  const double own = profile.attention_factors[static_cast<std::size_t>(accelerator.architecture)];
  // Long samples have more blocks of keys for each block of queries: latent attention on Hopper and
  // Blackwell reaches at 4,096 tokens 0.78 to 0.87 of its rate at 16,384 (cuDNN, arXiv 2603.07685,
  // table 9, quoted second-hand).
  constexpr double half_length = 1000;
  const double filled = kernel.m / (kernel.m + half_length);
  const FlopsPerSecond rate = accelerator.rate_under_limit() * accelerator.peak_at(precision) *
                              profile.fused_attention_efficiency.value * own * filled;
  return std::max(work / rate, traffic_time(kernel.bytes, accelerator, profile));
}

/// Time of a kernel without its start.
Seconds body_time(const Kernel& kernel, PassPrecision precision, const Accelerator& accelerator,
                  const KernelProfile& profile) {
  if (kernel.k == 0)
    return traffic_time(kernel.bytes * profile.traffic_factor, accelerator, profile);
  const Precision own = precision_of(kernel, precision);
  return is_fused(kernel) ? fused_time(kernel, own, accelerator, profile)
                          : product_time(kernel, own, accelerator, profile);
}

/// Assumed start of a kernel in a captured graph, where no launch separates it from the one before.
constexpr Seconds captured_start{4e-6};

}  // namespace

Seconds product_time(Flops work, const Accelerator& accelerator, const KernelProfile& profile) {
  const Precision precision = accelerator.computes_in(Precision::Bf16);
  return work /
         (accelerator.peak_at(precision) * product_efficiency(precision, accelerator, profile));
}

Seconds memory_time(Bytes bytes, const Accelerator& accelerator, const KernelProfile& profile) {
  return traffic_time(bytes, accelerator, profile) + profile.kernel_start;
}

Seconds kernel_time(const Kernel& kernel, PassPrecision precision, const Accelerator& accelerator,
                    const KernelProfile& profile, bool is_captured) {
  const Seconds body = body_time(kernel, precision, accelerator, profile);
  const Seconds start = is_captured ? std::min(captured_start, profile.kernel_start.value)
                                    : profile.kernel_start.value;
  if (!kernel.is_routed) return kernel.count * (body + start);
  return kernel.count * (profile.mixture_factor * body + profile.mixture_launches * start);
}

double unaligned_rows(const Kernel& kernel, PassPrecision precision) {
  if (kernel.k == 0 || is_fused(kernel)) return 0;
  return split_rows(kernel, precision_of(kernel, precision), 16);
}

}  // namespace kernel
}  // namespace tofn
