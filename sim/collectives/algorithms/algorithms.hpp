#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {
inline namespace collectives {

/// Traffic of a broadcast, in which every rank forwards the whole payload.
LinkTraffic broadcast_traffic(Bytes payload, const Communicator&);
/// Traffic of an exchange in which every rank holds `payload`, 1/n of it for each rank, as
/// nccl-tests counts it. Parts for the rank's own domain travel over the scale-up fabric, the
/// others over its NIC.
LinkTraffic exchange_traffic(Bytes payload, const Communicator&);
/// Traffic of sending the payload to the next rank.
LinkTraffic neighbour_traffic(Bytes payload, const Communicator&);
/// Traffic of passes inside the domain and then along the rails. A pass inside leaves each of the
/// domain's k ranks with 1/k of its data, which the rank's rail then carries, so every NIC carries
/// as little as in a ring. Bayatpour et al., "Scalable reduction collectives with data
/// partitioning-based multi-leader design", SC 2017.
template <int Passes>
LinkTraffic tiered_traffic(Bytes payload, const Communicator& c) {
  const double all = (c.ranks - 1.0) / c.ranks;
  const double inside = (c.ranks_per_domain - 1.0) / c.ranks_per_domain;
  return {.scale_up = payload * (Passes * inside), .network = payload * (Passes * (all - inside))};
}

/// Rings for all-reduce, reduce-scatter, all-gather and broadcast, with each protocol.
extern const std::array<Algorithm, 12> rings;

/// Time of `passes` passes around the ring: one scatters or gathers, two all-reduce.
Seconds ring_time(Protocol, int passes, Bytes payload, const Communicator&, const Ramps&);

/// All-reduce over NCCL's double binary tree, with each protocol.
extern const std::array<Algorithm, 3> trees;

/// Levels of a tree as NCCL's tuner counts them: floor(log2 n).
int tree_levels(int members);

/// Share (0..1) of the 2m ends of edges at the NICs of a leaf's m domains that leaves the leaf. In
/// NCCL's tree a node's parent is the node without its lowest set bit, or one beside it. Therefore
/// only a leaf's first domain and the root of the others have edges that leave the leaf: four at
/// most.
double tree_crossing(const Communicator&);

/// All-reduce in the switches of the scale-up domain (NVLS).
extern const Algorithm in_switch_all_reduce;
/// All-reduce in the switches of each domain, with a tree between the domains (NVLSTree).
extern const Algorithm in_switch_tree_all_reduce;
/// All-reduce in the switches of the network between domains (SHARP), if the run requests it.
extern const Algorithm in_network_all_reduce;

extern const Algorithm pairwise_all_to_all;
/// Send and receive, in which every rank sends the payload to its neighbour.
extern const Algorithm pairwise_send_receive;

/// Pairwise exchanges of an MPI, which has no tuner: partner by partner, with only the fabric's
/// latency.
extern const std::array<Algorithm, 2> mpi_pairwise;

/// All-reduce, reduce-scatter, all-gather and broadcast as Open MPI has them.
extern const std::array<Algorithm, 5> open_mpi;
/// Name of the algorithm that Open MPI's fixed decisions take for an all-reduce.
std::string_view open_mpi_all_reduce(Bytes payload);

/// Every collective over the links of a torus (TPU), which has no other network.
extern const std::array<Algorithm, 6> torus;

/// Algorithms in which every rank of one domain writes directly into the memory of all others:
/// all-reduce in one shot and in two, reduce-scatter, all-gather.
extern const std::array<Algorithm, 4> direct;

/// All-reduce, reduce-scatter and all-gather by recursive halving and doubling, as MPICH has them.
extern const std::array<Algorithm, 3> halving_doubling;

/// All-reduce, reduce-scatter and all-gather in the domain and then along the rails, as Horovod and
/// multi-leader MPI have them.
extern const std::array<Algorithm, 3> hierarchical;

}  // namespace collectives
}  // namespace tofn
