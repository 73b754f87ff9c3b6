#pragma once

#include <cstddef>
#include <functional>

namespace tofn {

/// Calls `work` with each index below `count`, on all cores, in any order. What one call throws
/// leaves when all have ended; of several, that of the lowest index.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace tofn
