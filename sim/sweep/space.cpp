#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace sweep {

void find_positions(const Sweep& sweep, std::uint64_t point, Positions& positions) {
  positions.resize(sweep.groups.size());
  for (std::size_t group = sweep.groups.size(); group-- > 0;) {
    const std::uint64_t size = sweep.groups[group].size();
    positions[group] = point % size;
    point /= size;
  }
}

std::vector<PlacedAxis> placed_axes(const Sweep& sweep) {
  std::vector<PlacedAxis> placed;
  for (std::size_t group = 0; group < sweep.groups.size(); ++group)
    for (const Axis& axis : sweep.groups[group].axes) placed.push_back({&axis, group});
  return placed;
}

}  // namespace sweep
}  // namespace tofn
