#include "sim/simulation/communicators.hpp"

#include <cassert>

#include "sim/collectives/algorithm.hpp"
#include "sim/parallelism/placed_plan.hpp"

namespace tofn {
inline namespace simulation {

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
  return gradients;
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
  const auto shards = [&](RankSet holders) -> std::optional<Communicators::Shards> {
    if (!plan.shard_ranks || plan.sharded == Sharded::Nothing) return {};
    const int each = sharing_ranks(plan, holders, 0);
    return Communicators::Shards{
        .within = placed({.stride = holders.stride, .count = each}),
        .between = placed({.stride = holders.stride * each, .count = holders.count / each})};
  };
  return {.tensor = placed(tensor_ranks(plan)),
          .context = placed(context_ranks(plan)),
          .expert = placed(expert_ranks(plan)),
          .pipeline = placed(pipeline_ranks(plan)),
          .gradients = placed(gradient_ranks(plan)),
          .expert_gradients = placed(expert_gradient_ranks(plan)),
          .shards = shards(gradient_ranks(plan)),
          .expert_shards = shards(expert_gradient_ranks(plan)),
          .ends = placed(ends)};
}

CollectiveCost exchange_cost(CollectiveKind kind, Bytes payload, const Communicator& ranks) {
  return collective_cost(kind, payload, ranks, ranks.network.reduces_in_switch);
}

}  // namespace simulation
}  // namespace tofn
