#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// Every collective over the links of a torus (TPU), which has no other network.
extern const std::array<Algorithm, 6> torus;

}  // namespace tofn
