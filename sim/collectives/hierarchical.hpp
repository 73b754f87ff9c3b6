#pragma once

#include <array>

#include "sim/collectives/algorithm.hpp"

namespace tofn {

/// All-reduce, reduce-scatter and all-gather in the domain and then along the rails, as Horovod and
/// multi-leader MPI have them.
extern const std::array<Algorithm, 3> hierarchical;

}  // namespace tofn
