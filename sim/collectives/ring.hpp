#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// All-reduce, reduce-scatter, all-gather and broadcast, with each protocol.
extern const std::array<Algorithm, 12> rings;

}  // namespace tofn
