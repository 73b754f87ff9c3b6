#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {
inline namespace collectives {

/// All-reduce, reduce-scatter, all-gather and broadcast, with each protocol.
extern const std::array<Algorithm, 12> rings;

/// One pass scatters or gathers, two reduce for all.
Seconds ring_time(Protocol, int passes, Bytes payload, const Communicator&, const Ramps&);

/// All-reduce over NCCL's double binary tree, with each protocol.
extern const std::array<Algorithm, 3> trees;

/// As NCCL's tuner counts them: floor(log2 n).
int tree_levels(int members);

/// Of the 2m ends of edges at the NICs of a leaf's m domains, the share that leaves the leaf, 0..1.
/// In NCCL's tree a node hangs on the one without its lowest set bit, or beside it, so that only a
/// leaf's first domain and the root of the others have edges that leave it: four at most.
double tree_crossing(const Communicator&);

/// Reduced in the switches of the scale-up domain (NVLS).
extern const Algorithm in_switch_all_reduce;
/// The same in each domain, and a tree between them (NVLSTree).
extern const Algorithm in_switch_tree_all_reduce;
/// Reduced in the switches of the network between domains (SHARP), where the run asks for it.
extern const Algorithm in_network_all_reduce;

extern const Algorithm pairwise_all_to_all;
/// Every rank sends the payload to its neighbour.
extern const Algorithm pairwise_send_receive;

/// Those of an MPI, which has no tuner: partner by partner, with the fabric's latency alone.
extern const std::array<Algorithm, 2> mpi_pairwise;

/// All-reduce, reduce-scatter, all-gather and broadcast as Open MPI has them.
extern const std::array<Algorithm, 5> open_mpi;
/// The one of them that its fixed decisions take for an all-reduce.
std::string_view open_mpi_all_reduce(Bytes payload);

/// Every collective over the links of a torus (TPU), which has no other network.
extern const std::array<Algorithm, 6> torus;

/// Inside one domain every rank writes straight into all others' memory: all-reduce in one shot and
/// in two, reduce-scatter, all-gather.
extern const std::array<Algorithm, 4> direct;

/// All-reduce, reduce-scatter and all-gather by recursive halving and doubling, as MPICH has them.
extern const std::array<Algorithm, 3> halving_doubling;

/// All-reduce, reduce-scatter and all-gather in the domain and then along the rails, as Horovod and
/// multi-leader MPI have them.
extern const std::array<Algorithm, 3> hierarchical;

}  // namespace collectives
}  // namespace tofn
