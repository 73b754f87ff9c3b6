#include "sim/simulation/optimizer.hpp"

#include "sim/kernel/kernel_time.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// What one rank steps: all of them, or its shard.
double own_share(double parameters, const Communicator& ranks, const Plan& plan) {
  if (plan.sharded == Sharded::Nothing) return parameters;
  return parameters / (plan.shards_in_domain ? ranks.ranks_per_domain : ranks.ranks);
}

}  // namespace

Seconds optimizer_time(const TrainedParameters& parameters, const Machine& machine) {
  const Communicators& groups = machine.communicators;
  const double own = own_share(parameters.dense, groups.gradients, machine.plan) +
                     own_share(parameters.experts, groups.expert_gradients, machine.plan);
  if (own <= 0) return {};
  const KernelProfile& profile = machine.profile;
  const Bytes moved{own * profile.optimizer_bytes};
  if (!machine.plan.offloads_optimizer) return memory_time(moved, machine.accelerator, profile);
  const Bytes travelling{own * (profile.gradient_bytes + profile.parameter_bytes)};
  return moved / profile.host_memory_bandwidth.value +
         travelling / machine.accelerator.host_link.value;
}

}  // namespace simulation
}  // namespace tofn
