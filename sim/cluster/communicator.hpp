#pragma once

#include <memory>

#include "sim/cluster/cluster.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {

/// Every `stride`-th rank, `count` of them, of a job whose ranks fill the nodes in order. The sets
/// that differ only in their first rank run the same collective at the same time (one per rail).
struct RankSet {
  int stride = 1;
  int count = 1;
};

/// One tier's link as one rank of a communicator sees it.
struct Link {
  Seconds latency;           ///< per hop
  BytesPerSecond bandwidth;  ///< achieved, per direction
  bool reduces_in_switch = false;
};

struct MeasuredGroup;

/// Ranks placed on the tiers of a cluster, never a bare count: spread evenly over as few scale-up
/// domains as hold them, `ranks_per_domain` in each of `domains`, below `leaves` leaf groups.
struct Communicator {
  int ranks = 1;
  int ranks_per_domain = 1;
  int domains = 1;
  int leaves = 1;
  Link scale_up;  ///< per rank, inside the domain
  Link network;   ///< per rank, between domains, its share while all sibling sets communicate
  Basis basis = Basis::Formula;  ///< Assumed where the cluster file assumed a bandwidth or latency
  Basis scale_up_basis = Basis::Formula;                 ///< the same of the scale-up fabric alone
  std::shared_ptr<const MeasuredGroup> measured;         ///< null: nothing to go by
  std::shared_ptr<const MeasuredGroup> measured_inside;  ///< of its part in one domain
  /// How many of their standard deviations measured collectives take longer.
  double measured_deviation = 0;

  bool one_domain() const { return domains <= 1; }
};

/// Places a rank set of a job of `job_ranks` on a cluster. Ranks of the job that leave a node's
/// accelerators unused still share its NICs. `set.stride * set.count <= job_ranks` (asserted).
/// A job that needs a network the cluster lacks: InputError.
Communicator place(RankSet set, const Cluster& cluster, int job_ranks);

/// Communicator of one rank per domain of `whole`, all rails at once.
Communicator between_domains(const Communicator& whole);
/// The part of `whole` inside one scale-up domain.
Communicator inside_domain(const Communicator& whole);

}  // namespace tofn
