#include "sim/simulation/simulated_step.hpp"

#include <array>
#include <cmath>

#include "sim/kernel/kernel_time.hpp"
#include "sim/model/stages.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
namespace {

/// Relative standard deviations of what a step rests on. Products: what leaving a model out of the
/// fit leaves of error (configs/kernels); memory and host time are assumed; of links as of
/// formulas: 5 to 15 % between equal clusters (github.com/NVIDIA/nccl-tests issue 309), latencies
/// assumed.
struct Spreads {
  double products = 0.03;
  double memory = 0.10;
  double host = 0.50;
  double bandwidth = 0.15;
  double latency = 0.30;
};
constexpr double ninety_percent = 1.645;

struct Inputs {
  Cluster cluster;
  KernelProfile profile;
  SlowNode slow_node;
};

void scale_bandwidth(Inputs& inputs, double factor) {
  inputs.cluster.scale_up.bandwidth.value *= factor;
  if (inputs.cluster.network) inputs.cluster.network->nic_bandwidth.value *= factor;
}

void scale_latency(Inputs& inputs, double factor) {
  inputs.cluster.scale_up.latency.value *= factor;
  if (inputs.cluster.network) inputs.cluster.network->latency.value *= factor;
}

struct Doubt {
  double spread;
  void (*scale)(Inputs&, double factor);
};

/// Each doubt alone, at the end of its own 90 % interval; they are independent, so that squares
/// add.
Interval interval_around(Seconds total, const Model& model, const Plan& plan,
                         const Inputs& inputs) {
  constexpr Spreads spreads;
  constexpr std::array doubts{
      Doubt{spreads.products, [](Inputs& i, double f) { i.profile.gemm_efficiency.value *= f; }},
      Doubt{spreads.memory, [](Inputs& i, double f) { i.profile.memory_efficiency.value *= f; }},
      Doubt{spreads.host, [](Inputs& i, double f) { i.profile.host_per_kernel.value *= 1 / f; }},
      Doubt{spreads.bandwidth, scale_bandwidth},
      Doubt{spreads.latency, [](Inputs& i, double f) { scale_latency(i, 1 / f); }}};
  const auto seconds = [&](const Inputs& of) {
    return closed_form(step_work(model, plan, of.cluster, of.profile, of.slow_node)).total.base();
  };
  const double centre = seconds(inputs);
  double faster = 0;
  double slower = 0;
  for (const Doubt& doubt : doubts)
    for (const double sign : {-1.0, 1.0}) {
      Inputs other = inputs;
      doubt.scale(other, std::exp(sign * ninety_percent * doubt.spread));
      const double shift = seconds(other) / centre - 1;
      (shift > 0 ? slower : faster) += shift * shift;
    }
  return {total.base() * (1 - std::min(0.9, std::sqrt(faster))),
          total.base() * (1 + std::sqrt(slower))};
}

/// A product that its traffic bounds, or a kernel that only moves bytes.
bool is_memory_bound(const Kernel& kernel, Precision precision, const Cluster& cluster,
                     const KernelProfile& profile) {
  if (kernel.k == 0) return true;
  KernelProfile faster = profile;
  faster.gemm_efficiency.value *= 1.01;
  faster.fused_attention_efficiency.value *= 1.01;
  const Seconds now = kernel_time(kernel, precision, cluster.accelerator, profile);
  return kernel_time(kernel, precision, cluster.accelerator, faster) > now * 0.995;
}

double memory_bound_share(const std::vector<LayerWork>& layers, Precision precision,
                          const Cluster& cluster, const KernelProfile& profile) {
  Seconds bound;
  Seconds all;
  for (const LayerWork& layer : layers)
    for (const PassWork* pass : {&layer.forward, &layer.backward, &layer.recompute})
      for (const Kernel& kernel : pass->kernels) {
        const Seconds time =
            layer.count * kernel_time(kernel, precision, cluster.accelerator, profile);
        all += time;
        if (is_memory_bound(kernel, precision, cluster, profile)) bound += time;
      }
  return all > Seconds{} ? bound / all : 0;
}

StepTimes times_of(const StepWork& work, std::optional<std::uint64_t> seed) {
  return seed ? simulate(work, *seed) : simulate(work);
}

}  // namespace

FlopsPerSecond SimulatedStep::achieved() const {
  return model_flops(model) * plan.global_batch() / times.total / plan.accelerators();
}

double SimulatedStep::model_flops_utilisation() const {
  return achieved() / cluster.accelerator.peak_at(model.precision);
}

MemoryProfile memory_profile(const Model& model, const Cluster& cluster) {
  MemoryProfile profile;
  profile.state = usual_state(model.precision);
  profile.domain_accelerators = cluster.scale_up.domain_accelerators.value;
  return profile;
}

SimulatedStep simulate_step(const Model& model, const Plan& plan, const Cluster& cluster,
                            const KernelProfile& profile, const SlowNode& slow_node,
                            std::optional<std::uint64_t> seed) {
  const std::vector<LayerWork> layers = layer_work(model, plan);
  check_plan(plan, plan_limits(layers));
  SimulatedStep step{.model = model,
                     .plan = plan,
                     .cluster = cluster,
                     .work = step_work(model, plan, cluster, profile, slow_node),
                     .times = {},
                     .seconds = {},
                     .memory_bound = memory_bound_share(layers, model.precision, cluster, profile),
                     .memory = footprints(layers, plan, memory_profile(model, cluster)),
                     .slow_node = slow_node,
                     .seed = seed};
  step.times = times_of(step.work, seed);
  step.seconds = interval_around(step.times.total, model, plan, {cluster, profile, slow_node});
  return step;
}

Bottleneck bottleneck_of(const StepTimes& times) {
  const auto share = [&](StepPart part) {
    return times.parts[static_cast<std::size_t>(part)] / times.total;
  };
  Bottleneck found;
  found.busy = share(StepPart::Compute) + share(StepPart::Optimizer);
  for (const StepPart part :
       {StepPart::Tensor, StepPart::Context, StepPart::Expert, StepPart::Pipeline, StepPart::Data})
    found.communication += share(part);
  found.waiting = share(StepPart::Bubble) + share(StepPart::Imbalance);
  found.launch = share(StepPart::Launch);
  found.name = found.communication > 0.3                       ? "communication"
               : found.waiting > 0.1                           ? "imbalance"
               : found.communication < 0.1 && found.busy > 0.9 ? "compute"
                                                               : "mixed";
  return found;
}

std::vector<Change> changes_between(const SimulatedStep& from, const SimulatedStep& to,
                                    const KernelProfile& profile) {
  Cluster cluster = from.cluster;
  std::vector<Change> changes;
  const auto note = [&](const char* what) {
    const StepWork work = step_work(from.model, from.plan, cluster, profile, from.slow_node);
    changes.push_back({what, times_of(work, from.seed).total});
  };
  cluster.accelerator = to.cluster.accelerator;
  note("accelerator");
  cluster.scale_up = to.cluster.scale_up;
  cluster.accelerators_per_node = to.cluster.accelerators_per_node;
  note("scale-up fabric and node");
  cluster = to.cluster;
  note("network");
  return changes;
}

}  // namespace tofn
