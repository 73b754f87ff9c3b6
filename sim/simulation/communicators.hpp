#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/communicator.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {

/// The groups of ranks of a plan, placed on a cluster.
struct Communicators {
  Communicator tensor, context, expert, pipeline;
  Communicator gradients;         ///< ranks that hold the same parameters
  Communicator expert_gradients;  ///< ranks that hold the same experts
  Communicator ends;              ///< a rank of the first stage and its like of the last

  const Communicator& of(Group) const;
};
/// InputError where ep does not divide the plan's ranks, or the job needs a network that the
/// cluster lacks.
Communicators place_groups(const Plan&, const Cluster&);

/// A collective of a running step: switches of the network do not reduce, nobody asks them to.
Seconds collective_time(CollectiveKind, Bytes payload, const Communicator&);

}  // namespace tofn
