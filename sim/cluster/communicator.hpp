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

/// Link of one tier, as seen by one rank of a communicator.
struct Link {
  Seconds latency;           ///< per hop
  BytesPerSecond bandwidth;  ///< achieved, per direction
  bool reduces_in_switch = false;
  double filling = 1;  ///< time that pipelines take to fill, over that on H100 (see Ramps)
  double multicast = hopper_multicast;  ///< share of the bandwidth for data that a switch reduces
};

/// Spine that joins the leaf groups of a network. A leaf's uplinks carry 1/oversubscription of what
/// its NICs can send (Leiserson, "Fat-trees", IEEE Transactions on Computers 1985).
struct Spine {
  double oversubscription = 1;  ///< for the sets that communicate; 1 if they are below one leaf
  Seconds latency;              ///< added to a hop that crosses the spine
  int domains_per_leaf = 1;     ///< of the communicator
};

struct MeasuredGroup;

/// Ranks placed on the tiers of a cluster. They are spread evenly over as few scale-up domains as
/// hold them: `ranks_per_domain` in each of `domains`, below `leaves` leaf groups.
struct Communicator {
  int ranks = 1;
  int ranks_per_domain = 1;
  int domains = 1;
  int leaves = 1;
  Link scale_up;  ///< per rank, inside the domain
  Link network;   ///< per rank, between domains: its share of the NICs
  Spine spine;
  TorusPart torus;
  int mesh_links = 0;  ///< to other accelerators, one each; 0 if a switch or host joins them
  CollectiveLibrary library = CollectiveLibrary::Nccl;
  ProtocolSet protocols{};  ///< NCCL's choices
  Link staging{};    ///< copies to the host before a call and back after it; zero bandwidth: none
  double start = 1;  ///< time to start a call, over that in NCCL's tuner
  std::string_view all_reduce{};  ///< of the cluster: algorithm that all-reduces must use
  Basis basis = Basis::Formula;   ///< Assumed if the cluster file assumes a bandwidth or latency
  Basis scale_up_basis = Basis::Formula;                 ///< basis of the scale-up fabric alone
  std::shared_ptr<const MeasuredGroup> measured;         ///< null: no measurements
  std::shared_ptr<const MeasuredGroup> measured_inside;  ///< measurements of its part in one domain
  /// Number of standard deviations by which measured collectives take longer.
  double measured_deviation = 0;

  bool one_domain() const { return domains <= 1; }
};

/// Places a rank set of a job on a cluster. If all sets communicate, each accelerator has its share
/// of the node's NICs, even if the job leaves some accelerators unused; one set alone has the NICs
/// beside its ranks. `set.stride * set.count` is at most the job's accelerators (asserted).
/// InputError if the job needs a network and the cluster has none.
Communicator place(RankSet set, const Cluster& cluster, PlacedJob job,
                   Concurrency = Concurrency::AllSets);

/// Bandwidth of a rank's share of the NICs if a share `crossing`, 0..1, of the traffic of the
/// busiest leaf's NICs must pass the spine.
BytesPerSecond network_bandwidth(const Communicator&, double crossing);

/// Share of a ring's traffic that crosses the spine: ranks fill the nodes in order, so that only
/// the last of a leaf's domains sends out of it.
double ring_crossing(const Communicator&);

/// Returns the communicator with the latencies and bandwidths of all its links multiplied.
Communicator with_scaled_links(Communicator, double latency, double bandwidth);

/// Effects that can make the links of a collective slower than their figures.
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
/// Natural logarithms of the factors of each effect on its part of the time.
using LinkEffects = std::array<double, link_effect_count>;

/// Returns the communicator with these effects on its links.
Communicator with_effects(Communicator, const LinkEffects&);

/// Communicator of one rank per domain of `whole`; all rails communicate at once.
Communicator between_domains(const Communicator& whole);
/// Part of `whole` inside one scale-up domain.
Communicator inside_domain(const Communicator& whole);

}  // namespace cluster
}  // namespace tofn
