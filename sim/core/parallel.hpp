#pragma once

#include <cstddef>
#include <functional>

namespace tofn {

/// Told how many of all parts of a work are done, from any thread but one at a time.
using OnProgress = std::function<void(std::size_t done, std::size_t all)>;

/// Calls `work` with each index below `count`, on all cores, in any order. What one call throws
/// leaves when all have ended; of several, that of the lowest index.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace tofn
