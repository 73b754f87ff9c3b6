#pragma once

#include <string>

#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace kernel {

/// Assumed of every stack that says nothing of its own: the share of the memory's bandwidth that
/// element-wise kernels and optimizers reach, and what compute loses of the time that communication
/// lasts beside it.
inline constexpr double usual_memory_efficiency = 0.85;
inline constexpr double usual_overlap_slowdown = 0.10;

/// How much of an accelerator software gets, and what a framework adds. Efficiencies are shares of
/// the datasheet's rates, 0..1; bytes are per parameter.
struct KernelProfile {
  std::string name;
  Sourced<double> gemm_efficiency;  ///< of the main loop of a large product
  /// Share of its peak that the best product reaches on the accelerator which that was fitted on;
  /// elsewhere the efficiency goes with the accelerator's own `best_product`.
  Sourced<double> best_product_share;
  Sourced<double> fp8_efficiency{1};  ///< of products in 8 and 4 bits, beside those in 16
  Sourced<double> fused_attention_efficiency;     ///< of a kernel that keeps scores on chip
  Sourced<double> memory_efficiency;              ///< of element-wise kernels and epilogues
  Sourced<Seconds> kernel_start;                  ///< start and drain of a kernel on the device
  Sourced<Seconds> host_per_kernel;               ///< of an operator that the host launches
  Sourced<double> overlap_slowdown;               ///< of communication, what compute loses to it
  Sourced<double> optimizer_bytes;                ///< moved by the optimizer step
  Sourced<double> gradient_bytes;                 ///< of a gradient as it travels
  Sourced<double> parameter_bytes;                ///< of a parameter as it travels
  Sourced<Bytes> gradient_bucket;                 ///< gradients that travel in one collective
  Sourced<BytesPerSecond> host_memory_bandwidth;  ///< one accelerator's share of its host's
  Sourced<double> rank_noise;  ///< relative standard deviation of compute between equal nodes
};

}  // namespace kernel
}  // namespace tofn
