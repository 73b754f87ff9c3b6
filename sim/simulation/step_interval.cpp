#include "sim/simulation/step_interval.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/cluster/cluster_fields.hpp"
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

void scale_links(StepInputs& inputs, Doubt doubt, double factor) {
  scale_links(inputs.cluster, doubt, factor);
  if (inputs.heterogeneous.mixed) scale_links(inputs.heterogeneous.mixed->cluster, doubt, factor);
}

struct Unsure {
  double spread;
  void (*scale)(StepInputs&, double factor);
};
constexpr Spreads spreads;
constexpr std::array unsure{
    Unsure{spreads.products, [](StepInputs& i, double f) { i.profile.gemm_efficiency.value *= f; }},
    Unsure{spreads.memory, [](StepInputs& i, double f) { i.profile.memory_efficiency.value *= f; }},
    Unsure{spreads.host, [](StepInputs& i, double f) { i.profile.host_per_kernel.value *= 1 / f; }},
    Unsure{spreads.bandwidth, [](StepInputs& i, double f) { scale_links(i, Doubt::Bandwidth, f); }},
    Unsure{spreads.latency,
           [](StepInputs& i, double f) { scale_links(i, Doubt::Latency, 1 / f); }}};

}  // namespace

Interval step_interval(Seconds total, const Model& model, const Plan& plan,
                       const StepInputs& inputs, const std::vector<ReplicaWork>& works) {
  const auto seconds = [&](const StepInputs& of) {
    std::vector<ReplicaWork> others =
        replica_works(model, plan, of.cluster, of.profile, of.heterogeneous);
    Seconds longest;
    for (std::size_t i = 0; i < others.size(); ++i) {
      others[i].work.micro_batches = works[i].work.micro_batches;
      longest = std::max(longest, closed_form(others[i].work).total);
    }
    return longest.base();
  };
  const double centre = seconds(inputs);
  double faster = 0;
  double slower = 0;
  for (const Unsure& each : unsure)
    for (const double sign : {-1.0, 1.0}) {
      StepInputs other = inputs;
      each.scale(other, std::exp(sign * ninety_percent * each.spread));
      const double shift = seconds(other) / centre - 1;
      (shift > 0 ? slower : faster) += shift * shift;
    }
  return {total.base() * (1 - std::min(0.9, std::sqrt(faster))),
          total.base() * (1 + std::sqrt(slower))};
}

}  // namespace tofn
