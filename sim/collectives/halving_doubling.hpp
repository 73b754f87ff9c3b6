#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// All-reduce, reduce-scatter and all-gather by recursive halving and doubling, as MPICH has them.
extern const std::array<Algorithm, 3> halving_doubling;

}  // namespace tofn
