#pragma once

#include <optional>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// The groups of ranks of a plan, placed on a cluster. Their network reduces in its switches where
/// it can and the plan asks for it.
struct Communicators {
  Communicator tensor, context, expert, pipeline;
  Communicator gradients;         ///< ranks that hold the same parameters
  Communicator expert_gradients;  ///< ranks that hold the same experts
  /// Where `shard_ranks` says so: ranks that share one copy of what is sharded, and those of like
  /// place in each copy; then those of experts.
  struct Shards {
    Communicator within, between;
  };
  std::optional<Shards> shards{}, expert_shards{};
  Communicator ends;  ///< a rank of the first stage and its like of the last

  const Communicator& of(Group) const;
};
/// InputError where ep does not divide the plan's ranks, or the job needs a network that the
/// cluster lacks.
Communicators place_groups(const Plan&, const Cluster&);

/// A collective of a running step, on the communicators above.
Seconds collective_time(CollectiveKind, Bytes payload, const Communicator&);

}  // namespace simulation
}  // namespace tofn
