#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// All-reduce over NCCL's double binary tree, with each protocol.
extern const std::array<Algorithm, 3> trees;

}  // namespace tofn
