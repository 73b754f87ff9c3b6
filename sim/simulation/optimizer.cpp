#include "sim/simulation/optimizer.hpp"

#include <algorithm>
#include <optional>

#include "sim/kernel/kernel_time.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Amount of `parameters` that one rank updates: all of it, or its shard.
template <class Amount>
Amount own_share(Amount parameters, const Communicator& ranks,
                 const std::optional<Communicators::Shards>& shards, const Plan& plan) {
  if (plan.sharded == Sharded::Nothing) return parameters;
  if (shards) return parameters / shards->within.ranks;
  return parameters / (plan.shards_in_domain ? ranks.ranks_per_domain : ranks.ranks);
}

/// Time of the matrix products of Newton-Schulz steps, in bf16.
Seconds orthogonalisation_time(const TrainedParameters& parameters, const Machine& machine) {
  const Communicators& groups = machine.communicators;
  const Flops once =
      own_share(parameters.orthogonalised, groups.gradients, groups.shards, machine.plan) +
      own_share(parameters.experts_orthogonalised, groups.expert_gradients, groups.expert_shards,
                machine.plan);
  return product_time(traits_of(machine.plan.optimizer).newton_schulz * once, machine.accelerator,
                      machine.profile);
}

/// Bytes per parameter saved by formats narrower than fp32. Gradients are read or written seven
/// times (`counted` of configs/stacks/megatron.yaml); optimizer state is read and written once.
double spared_bytes(const Plan& plan) {
  const auto spared = [](const std::optional<KeptFormat>& kept) {
    return 4 - bytes_of(kept.value_or(KeptFormat::Fp32));
  };
  return 7 * spared(plan.kept_gradients) + 2 * spared(plan.kept_master) +
         2 * 2 * spared(plan.kept_moments);
}

}  // namespace

Seconds optimizer_time(const TrainedParameters& parameters, const Machine& machine) {
  const Communicators& groups = machine.communicators;
  const double own =
      own_share(parameters.dense, groups.gradients, groups.shards, machine.plan) +
      own_share(parameters.experts, groups.expert_gradients, groups.expert_shards, machine.plan);
  if (own <= 0) return {};
  const KernelProfile& profile = machine.profile;
  const double update =
      traits_of(machine.plan.optimizer).update_bytes - traits_of(OptimizerKind::AdamW).update_bytes;
  const Bytes moved{own *
                    std::max(0.0, profile.optimizer_bytes + update - spared_bytes(machine.plan))};
  if (!machine.plan.offloads_optimizer)
    return memory_time(moved, machine.accelerator, profile) +
           orthogonalisation_time(parameters, machine);
  const Bytes travelling{own * (machine.gradient_bytes() + machine.parameter_bytes())};
  return moved / profile.host_memory_bandwidth.value +
         travelling / machine.accelerator.host_link.value;
}

}  // namespace simulation
}  // namespace tofn
