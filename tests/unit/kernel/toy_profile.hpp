#pragma once

#include "sim/kernel/kernel_profile.hpp"

namespace tofn::test {

/// A profile of round figures: half of every rate, a quarter for fused attention, 1 us a kernel, no
/// host time.
inline KernelProfile toy_profile() {
  using namespace literals;
  KernelProfile profile;
  profile.name = "toy";
  profile.gemm_efficiency = {0.5, "made up"};
  profile.best_product_share = {0.8, "made up"};
  profile.fused_attention_efficiency = {0.25, "made up"};
  profile.memory_efficiency = {0.5, "made up"};
  profile.kernel_start = {1_us, "made up"};
  profile.overlap_slowdown = {0.1, "made up"};
  profile.optimizer_bytes = {50, "made up"};
  profile.gradient_bytes = {4, "made up"};
  profile.parameter_bytes = {2, "made up"};
  profile.gradient_bucket = {1_MB, "made up"};
  profile.host_memory_bandwidth = {10_GBps, "made up"};
  profile.rank_noise = {0.0, "made up"};
  return profile;
}

}  // namespace tofn::test
