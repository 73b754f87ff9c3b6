#pragma once

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// Reduced in the switches of the scale-up domain (NVLS).
extern const Algorithm in_switch_all_reduce;
/// The same in each domain, and a tree between them (NVLSTree).
extern const Algorithm in_switch_tree_all_reduce;
/// Reduced in the switches of the network between domains (SHARP), where the run asks for it.
extern const Algorithm in_network_all_reduce;

}  // namespace tofn
