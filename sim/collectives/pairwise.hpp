#pragma once

#include "sim/collectives/algorithm.hpp"

namespace tofn {

extern const Algorithm pairwise_all_to_all;
/// Every rank sends the payload to its neighbour.
extern const Algorithm pairwise_send_receive;

}  // namespace tofn
