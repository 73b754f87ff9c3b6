#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/collective_library.hpp"
#include "sim/cluster/torus.hpp"
#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace cluster {

/// One tier's link as one rank of a communicator sees it.
struct Link {
  Seconds latency;           ///< per hop
  BytesPerSecond bandwidth;  ///< achieved, per direction
  bool reduces_in_switch = false;
  double filling = 1;  ///< times that pipelines take to fill over those of H100 (see Ramps)
  double multicast = hopper_multicast;  ///< of the bandwidth, for what a switch reduces
};

/// What joins the leaf groups of a network. A leaf's uplinks carry 1/oversubscription of what its
/// NICs can send (Leiserson, "Fat-trees", IEEE Transactions on Computers 1985).
struct Spine {
  double oversubscription = 1;  ///< for the sets that communicate; 1 below one leaf
  Seconds latency;              ///< added to a hop that crosses
  int domains_per_leaf = 1;     ///< of the communicator
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
  Link network;   ///< per rank, between domains: its share of the NICs
  Spine spine;
  TorusPart torus;
  int mesh_links = 0;  ///< to other accelerators, one each; 0 where a switch or host joins them
  CollectiveLibrary library = CollectiveLibrary::Nccl;
  ProtocolSet protocols{};  ///< NCCL's choice
  Link staging{};    ///< copies to the host before a call and back after it; no bandwidth: none
  double start = 1;  ///< of a call, over what NCCL's tuner counts
  std::string_view all_reduce{};  ///< the cluster's: the algorithm that they must run by
  Basis basis = Basis::Formula;   ///< Assumed where the cluster file assumed a bandwidth or latency
  Basis scale_up_basis = Basis::Formula;                 ///< the same of the scale-up fabric alone
  std::shared_ptr<const MeasuredGroup> measured;         ///< null: nothing to go by
  std::shared_ptr<const MeasuredGroup> measured_inside;  ///< of its part in one domain
  /// How many of their standard deviations measured collectives take longer.
  double measured_deviation = 0;
  AskedCollectives* asked = nullptr;  ///< the cluster's

  bool one_domain() const { return domains <= 1; }
};

/// Places a rank set of a job on a cluster. While all sets communicate, each
/// accelerator has its share of the node's NICs, though the job leave some accelerators unused; one
/// set alone has the NICs beside its ranks. `set.stride * set.count` is at most the job's
/// accelerators (asserted). A job that needs a network the cluster lacks: InputError.
Communicator place(RankSet set, const Cluster& cluster, PlacedJob job,
                   Concurrency = Concurrency::AllSets);

/// What a rank's share of the NICs carries while `crossing` of what the busiest leaf's NICs send,
/// 0..1, must pass the spine.
BytesPerSecond network_bandwidth(const Communicator&, double crossing);

/// Of a ring: ranks fill the nodes in order, so of a leaf's domains only the last sends out of it.
double ring_crossing(const Communicator&);

/// The same with these factors on the latencies and the bandwidths of all its links.
Communicator with_scaled_links(Communicator, double latency, double bandwidth);

/// What of a collective's time its links may take longer for than their figures say.
enum class LinkEffect {
  Start,
  ScaleUpLatency,
  ScaleUpBandwidth,
  ScaleUpFilling,
  NetworkLatency,
  NetworkBandwidth,
  NetworkFilling
};
inline constexpr std::size_t link_effect_count = 7;
/// Natural logarithms of factors on the time that each stands for.
using LinkEffects = std::array<double, link_effect_count>;

/// The same with these effects on its links.
Communicator with_effects(Communicator, const LinkEffects&);

/// Communicator of one rank per domain of `whole`, all rails at once.
Communicator between_domains(const Communicator& whole);
/// The part of `whole` inside one scale-up domain.
Communicator inside_domain(const Communicator& whole);

}  // namespace cluster
}  // namespace tofn
