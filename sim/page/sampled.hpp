#pragma once

#include <cstddef>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace page {

/// About `most` of the rows, in their order: the least and the greatest of each column of numbers,
/// those that no other beats in two figures of a run (time, cost, energy, size), and of the others
/// as many as there is room for, equally far apart. All of them where they are no more than that.
Records sampled(Records, std::size_t most);

}  // namespace page
}  // namespace tofn
