#include "sim/cluster/torus.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace tofn {
inline namespace cluster {
namespace {

int largest_prime_factor(int number) {
  int factor = 2;
  while (factor * factor <= number) {
    if (number % factor == 0)
      number /= factor;
    else
      ++factor;
  }
  return number;
}

/// True if every side of `inner` divides the same side of `outer`.
bool nests(const std::array<int, 3>& inner, const std::array<int, 3>& outer) {
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (outer[i] % inner[i] != 0) return false;
  return true;
}

}  // namespace

std::array<int, 3> torus_sides(int chips, int dimensions) {
  assert(chips >= 1 && dimensions >= 1 && dimensions <= 3);
  std::array<int, 3> sides{1, 1, 1};
  while (chips > 1) {
    const int factor = largest_prime_factor(chips);
    *std::min_element(sides.begin(), sides.begin() + dimensions) *= factor;
    chips /= factor;
  }
  return sides;
}

double links_out_of(int block_chips, int dimensions) {
  const auto sides = torus_sides(block_chips, dimensions);
  double links = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) links += 2.0 / sides[i];
  return links;
}

TorusPart part_of_torus(const TorusShape& whole, RankSet set, Concurrency concurrency) {
  TorusPart part{whole, set, concurrency, {}};
  if (whole.dimensions == 0) return part;
  const auto step = torus_sides(set.stride, whole.dimensions);
  const auto block = torus_sides(set.stride * set.count, whole.dimensions);
  const auto job = torus_sides(whole.chips, whole.dimensions);
  const bool is_nested = nests(step, block);
  const auto own = torus_sides(set.count, whole.dimensions);
  for (std::size_t i = 0; i < part.sides.size(); ++i) {
    TorusSide& side = part.sides[i];
    side.length = is_nested ? block[i] / step[i] : own[i];
    side.closes = is_nested && block[i] == job[i] && whole.chips >= whole.closes_from;
    side.sharing = is_nested && concurrency == Concurrency::AllSets ? step[i] : 1;
  }
  return part;
}

}  // namespace cluster
}  // namespace tofn
