#include "sim/simulation/unaligned_layers.hpp"

#include <fmt/format.h>

#include "sim/kernel/kernel_time.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/computed_plan.hpp"

namespace tofn {
inline namespace simulation {

std::vector<std::string> unaligned_layers(const Model& model, const Plan& plan,
                                          const Accelerator& accelerator,
                                          const KernelProfile& profile) {
  const Plan computed = computed_plan(plan, model, accelerator);
  const PassPrecision precision =
      pass_precision(accelerator.computes_in(requested_precision(model, plan)), plan.fp8_attention);
  std::vector<std::string> all;
  for (const LayerWork& layer : layer_work(model, computed))
    for (const Kernel& kernel : layer.forward.kernels) {
      const double rows = unaligned_rows(kernel, precision);
      if (rows == 0) continue;
      const bool is_attention = kernel.arithmetic == Arithmetic::Attention;
      const auto& factor = is_attention ? profile.unaligned_heads_factor : profile.unaligned_factor;
      if (factor.value == 1) continue;
      add_new(all, {fmt::format("{}: {} of {:g} elements are no multiple of 16 bytes: products "
                                "with them take {:.2g} times as long",
                                layer.name, is_attention ? "heads" : "rows", rows, factor.value)});
    }
  return all;
}

}  // namespace simulation
}  // namespace tofn
