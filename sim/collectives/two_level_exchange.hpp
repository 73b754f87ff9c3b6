#pragma once

#include "sim/collectives/algorithm.hpp"
#include "sim/core/token_routing.hpp"

namespace tofn {
inline namespace collectives {

/// What one rank moves when its tokens, `tokens` bytes in all, go to their experts or come back: a
/// copy to each scale-up domain that holds any of a token's experts, and inside it one to each rank
/// that does. Back from there sums travel the same way.
LinkTraffic two_level_traffic(Bytes tokens, const TokenRouting&, const Communicator&);

/// How long that takes in the kernels of DeepEP or HybridEP: both tiers work at once, the slower
/// one sets the pace, and what comes last goes over one hop of each. One rank costs nothing.
Cost two_level_cost(Bytes tokens, const TokenRouting&, const Communicator&);

}  // namespace collectives
}  // namespace tofn
