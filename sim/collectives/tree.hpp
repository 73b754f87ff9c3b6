#pragma once

#include "sim/collectives/algorithm.hpp"

namespace tofn {

extern const Algorithm tree_all_reduce;

}  // namespace tofn
