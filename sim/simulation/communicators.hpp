#pragma once

#include <optional>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/core/answered_collectives.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// The groups of ranks of a plan, placed on a cluster. The network reduces in its switches if it
/// can and the plan requests it.
struct Communicators {
  Communicator tensor, context, expert, pipeline;
  Communicator gradients;         ///< ranks that hold the same parameters
  Communicator expert_gradients;  ///< ranks that hold the same experts
  /// Groups of ranks under `shard_ranks`: `within` shares one copy of the sharded state, `between`
  /// has the rank at the same place of each copy. Absent unless the plan states it and shards
  /// something.
  struct Shards {
    Communicator within, between;
  };
  std::optional<Shards> shards{}, expert_shards{};
  Communicator ends;  ///< a rank of the first stage and its counterpart of the last

  const Communicator& of(Group) const;
};
/// InputError if ep does not divide the plan's ranks, or if the job needs a network that the
/// cluster lacks.
Communicators place_groups(const Plan&, const Cluster&);

/// Cost of a collective of a running step on one of these communicators.
CollectiveCost exchange_cost(CollectiveKind, Bytes payload, const Communicator&);

}  // namespace simulation
}  // namespace tofn
