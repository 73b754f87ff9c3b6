#include "sim/simulation/memory_bound.hpp"

#include "sim/kernel/kernel_time.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// True for a kernel that only moves bytes, or a matrix product whose memory traffic limits it.
bool is_memory_bound(const Kernel& kernel, PassPrecision precision, const Accelerator& accelerator,
                     const KernelProfile& profile) {
  if (kernel.k == 0) return true;
  KernelProfile faster = profile;
  faster.gemm_efficiency.value *= 1.01;
  faster.fused_attention_efficiency.value *= 1.01;
  const Seconds now = kernel_time(kernel, precision, accelerator, profile);
  return kernel_time(kernel, precision, accelerator, faster) > now * 0.995;
}

}  // namespace

double memory_bound_share(const std::vector<LayerWork>& layers, PassPrecision precision,
                          const Accelerator& accelerator, const KernelProfile& profile) {
  Seconds bound;
  Seconds all;
  for (const LayerWork& layer : layers)
    for (const PassWork* pass : {&layer.forward, &layer.backward, &layer.recompute})
      for (const Kernel& kernel : pass->kernels) {
        const Seconds time = layer.count * kernel_time(kernel, precision, accelerator, profile);
        all += time;
        if (is_memory_bound(kernel, precision, accelerator, profile)) bound += time;
      }
  return all > Seconds{} ? bound / all : 0;
}

}  // namespace simulation
}  // namespace tofn
