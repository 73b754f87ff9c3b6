#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/sweep/sweep_file.hpp"

namespace tofn {

/// Where a point lies: for each group of axes which of their values.
using Positions = std::vector<std::size_t>;

/// The positions of a point, 0 to `points() - 1`; the last group varies fastest.
void find_positions(const Sweep&, std::uint64_t point, Positions&);

/// An axis of a sweep, and the group that it moves with.
struct PlacedAxis {
  const Axis* axis = nullptr;
  std::size_t group = 0;

  const std::string& value(const Positions& positions) const {
    return axis->values[positions[group]];
  }
};
std::vector<PlacedAxis> placed_axes(const Sweep&);

}  // namespace tofn
