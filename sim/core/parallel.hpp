#pragma once

#include <cstddef>
#include <functional>

namespace tofn {

/// Callback with the number of parts that are done. Any thread may call it, but only one at a time.
using OnProgress = std::function<void(std::size_t done, std::size_t all)>;

/// Calls `work` with each index below `count`, on all cores, in any order. After all calls have
/// ended, it rethrows the exception of the lowest index that threw.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace tofn
