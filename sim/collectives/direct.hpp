#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// Inside one domain every rank writes straight into all others' memory: all-reduce in one shot and
/// in two, reduce-scatter, all-gather.
extern const std::array<Algorithm, 4> direct;

}  // namespace tofn
