#include "sim/simulation/sample_work.hpp"

#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace simulation {
namespace {

Flops flops_of(const PassWork& pass) {
  Flops sum;
  for (const Kernel& kernel : pass.kernels) sum += kernel.flops();
  return sum;
}

}  // namespace

SampleWork sample_work(const Model& model, const Plan& plan) {
  const double ranks = 1.0 * plan.tensor_parallel_size * plan.context_parallel_size;
  const double share = ranks / plan.micro_batch;
  SampleWork work{.model = model_flops(model),
                  .hardware = {},
                  .recomputed = {},
                  .forward = {},
                  .parameter_flops = parameter_flops(model),
                  .active_parameters = active_parameters(model),
                  .sequence_length = model.sequence_length};
  for (const LayerWork& layer : layer_work(model, plan)) {
    const Flops forward = share * layer.count * flops_of(layer.forward);
    work.forward += forward;
    work.recomputed += share * layer.count * flops_of(layer.recompute);
    work.hardware +=
        forward + share * layer.count * (flops_of(layer.backward) + flops_of(layer.recompute));
  }
  return work;
}

}  // namespace simulation
}  // namespace tofn
