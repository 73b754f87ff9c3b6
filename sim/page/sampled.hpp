#pragma once

#include <cstddef>

#include "sim/core/rows.hpp"

namespace tofn {
inline namespace page {

/// About `most` of the rows, in their order: the least and the greatest of each column of numbers,
/// the Pareto fronts of two figures of a run (time, cost, energy, size), and other rows at equal
/// distances. All rows if there are no more than `most`.
Records sampled(Records, std::size_t most);

}  // namespace page
}  // namespace tofn
