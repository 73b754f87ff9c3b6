#include "sim/simulation/job_hardware.hpp"

#include <cassert>

#include "sim/collectives/algorithm.hpp"
#include "sim/parallelism/placed_plan.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Replaces the groups that span both kinds of nodes with those placed on `both`.
void join(Communicators& own, const Communicators& both, const Plan& plan,
          const MixedNodes& mixed) {
  if (mixed.stages.is_empty()) {
    own.gradients = both.gradients;
    own.expert_gradients = both.expert_gradients;
  } else if (mixed.stages.holds(0) != mixed.stages.holds(plan.pipeline_parallel_size - 1)) {
    own.ends = both.ends;
  }
}

StageHardware hardware_on(const Cluster& cluster, const Plan& plan, const KernelProfile& profile,
                          const Cluster* both, const HeterogeneousNodes& heterogeneous,
                          bool is_slow) {
  const SlowNode slow = is_slow ? heterogeneous.slow : SlowNode{};
  // Sweeps call this tens of thousands of times a second, so hardware without a change is not
  // copied.
  const auto placed = [&](const Cluster& on) {
    if (slow.link == 1) return place_groups(plan, on);
    return place_groups(plan, with_slow_links(on, placed_job(plan, on), slow.link));
  };
  const std::shared_ptr<void> nobody;
  StageHardware hardware{.accelerator = {nobody, &cluster.accelerator},
                         .profile = {nobody, &profile},
                         .communicators = placed(cluster)};
  if (both != nullptr) join(hardware.communicators, placed(*both), plan, *heterogeneous.mixed);
  if (is_slow) {
    auto accelerator = std::make_shared<Accelerator>(cluster.accelerator);
    auto slower = std::make_shared<KernelProfile>(profile);
    slow_down(*accelerator, *slower, slow.kernels);
    hardware.accelerator = std::move(accelerator);
    hardware.profile = std::move(slower);
  }
  return hardware;
}

/// Finds each stage's index in `JobHardware::kinds`, which lists each cluster at full pace, then
/// slow.
ReplicaHardware replicas_of(int replicas, bool is_other, const Plan& plan, const StageRange& slow,
                            const StageRange& mixed) {
  const std::size_t paces = slow.is_empty() ? 1 : 2;
  ReplicaHardware hardware{.replicas = replicas, .stages = {}};
  for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage) {
    const bool on_other = is_other || mixed.holds(stage);
    hardware.stages.push_back(paces * (on_other ? 1 : 0) + (slow.holds(stage) ? 1 : 0));
  }
  return hardware;
}

}  // namespace

const Communicator& Communicators::of(Group group) const {
  switch (group) {
    case Group::Tensor:
      return tensor;
    case Group::Context:
      return context;
    case Group::Expert:
      return expert;
    case Group::Pipeline:
      return pipeline;
    case Group::Data:
      break;
  }
  return gradients.data;
}

GradientGroups groups_by_domain(const Communicator& data) {
  return {.data = data, .node = inside_domain(data), .between = between_domains(data)};
}

Communicators place_groups(const Plan& plan, const Cluster& cluster) {
  const PlacedJob job = placed_job(plan, cluster);
  const auto placed = [&](RankSet set) {
    Communicator ranks = place(set, cluster, job);
    // Switches reduce only if the plan requests it.
    ranks.network.reduces_in_switch &= plan.in_network_reduction;
    return ranks;
  };
  // The first and the last stage are at least half of the job apart.
  const RankSet ends = plan.pipeline_parallel_size > 1
                           ? RankSet{.stride = job.accelerators / 2, .count = 2}
                           : RankSet{};
  const auto groups = [&](RankSet holders) -> GradientGroups {
    const Communicator data = placed(holders);
    if (plan.sharded == Sharded::Nothing || !shards_in_groups(plan)) return {.data = data};
    if (!plan.shard_ranks) return groups_by_domain(data);
    const int each = sharing_ranks(plan, holders, 0);
    return {.data = data,
            .node = placed({.stride = holders.stride, .count = each}),
            .between = placed({.stride = holders.stride * each, .count = holders.count / each})};
  };
  return {.tensor = placed(tensor_ranks(plan)),
          .context = placed(context_ranks(plan)),
          .expert = placed(expert_ranks(plan)),
          .pipeline = placed(pipeline_ranks(plan)),
          .gradients = groups(gradient_ranks(plan)),
          .expert_gradients = groups(expert_gradient_ranks(plan)),
          .ends = placed(ends)};
}

CollectiveCost exchange_cost(CollectiveKind kind, Bytes payload, const Communicator& ranks) {
  return collective_cost(kind, payload, ranks, ranks.network.reduces_in_switch);
}

JobHardware job_hardware(const Plan& plan, const Cluster& cluster, const KernelProfile& profile,
                         const HeterogeneousNodes& heterogeneous) {
  const StageRange slow = stages_of(heterogeneous.slow, plan, cluster);
  const auto& mixed = heterogeneous.mixed;
  std::optional<Cluster> both;
  std::vector<const Cluster*> clusters{&cluster};
  if (mixed) {
    check_mixed(*mixed, plan, cluster);
    both = joined(cluster, mixed->cluster);
    clusters.push_back(&mixed->cluster);
  }
  JobHardware job;
  for (const Cluster* each : clusters)
    for (const bool is_slow : {false, true})
      if (!is_slow || !slow.is_empty())
        job.kinds.push_back(
            hardware_on(*each, plan, profile, both ? &*both : nullptr, heterogeneous, is_slow));
  const bool mixes_replicas = mixed && mixed->stages.is_empty();
  const int others = mixes_replicas ? replicas_on(*mixed, plan) : 0;
  const StageRange on_other = mixed ? mixed->stages : StageRange{};
  job.replicas.push_back(
      replicas_of(plan.data_parallel_size - others, false, plan, slow, on_other));
  if (mixes_replicas) job.replicas.push_back(replicas_of(others, true, plan, slow, on_other));
  return job;
}

}  // namespace simulation
}  // namespace tofn
