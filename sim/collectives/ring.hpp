#pragma once

#include "sim/collectives/algorithm.hpp"

namespace tofn {

extern const Algorithm ring_all_reduce;
extern const Algorithm ring_reduce_scatter;
extern const Algorithm ring_all_gather;

}  // namespace tofn
