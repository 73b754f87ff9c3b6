#pragma once

#include "sim/collectives/algorithm.hpp"
#include "sim/core/token_routing.hpp"

namespace tofn {
inline namespace collectives {

/// Traffic of one rank when its tokens, `tokens` bytes in all, go to their experts or come back. A
/// copy goes to each scale-up domain that holds any of a token's experts, and inside it to each
/// rank that does. Sums travel back the same way.
LinkTraffic two_level_traffic(Bytes tokens, const TokenRouting&, const Communicator&);

/// Time of that exchange in the kernels of DeepEP or HybridEP. Both tiers work at once and the
/// slower one sets the pace; the last tokens take one hop on each. One rank costs nothing.
CollectiveCost two_level_cost(Bytes tokens, const TokenRouting&, const Communicator&);

}  // namespace collectives
}  // namespace tofn
