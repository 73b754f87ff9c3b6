#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// All-reduce, reduce-scatter, all-gather and broadcast, with each protocol.
extern const std::array<Algorithm, 12> rings;

/// One pass scatters or gathers, two reduce for all.
Seconds ring_time(Protocol, int passes, Bytes payload, const Communicator&, const Ramps&);

}  // namespace tofn
