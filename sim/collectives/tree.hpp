#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// All-reduce over NCCL's double binary tree, with each protocol.
extern const std::array<Algorithm, 3> trees;

/// As NCCL's tuner counts them: floor(log2 n).
int tree_levels(int members);

/// Of the 2m ends of edges at the NICs of a leaf's m domains, the share that leaves the leaf, 0..1.
/// In NCCL's tree a node hangs on the one without its lowest set bit, or beside it, so that only a
/// leaf's first domain and the root of the others have edges that leave it: four at most.
double tree_crossing(const Communicator&);

}  // namespace tofn
