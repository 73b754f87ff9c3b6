#pragma once

#include <array>

namespace tofn {
inline namespace cluster {

/// Every `stride`-th rank, `count` of them, of a job whose ranks fill the nodes in order. The sets
/// that differ only in their first rank run the same collective at the same time (one per rail).
struct RankSet {
  int stride = 1;
  int count = 1;
};

/// Which of these sets communicate at once: all that the job has, or this one alone.
enum class Concurrency { AllSets, OneSet };

/// The torus that a job fills: `chips` as near to a square or cube as they factor, in blocks, so
/// that a part of the ranks in order is a smaller such torus. No dimensions: not a torus.
struct TorusShape {
  int dimensions = 0;
  int closes_from = 1;  ///< chips whose sides are rings; of fewer, and of parts of a side, lines
  int chips = 1;
  double links_between = 1;  ///< that each chip has to other scale-up domains, on average
};

/// One dimension of a set's part of the torus.
struct TorusSide {
  int length = 1;
  bool closes = false;  ///< into a ring
  int sharing = 1;      ///< sets that interleave on its links and communicate at once
};

/// A set's part of the torus. Links run along each dimension, one in each direction of it.
struct TorusPart {
  TorusShape whole;
  RankSet set;
  Concurrency concurrency = Concurrency::AllSets;
  std::array<TorusSide, 3> sides{};
};

/// Chips along each dimension: factors from the largest down, each to the shortest side.
std::array<int, 3> torus_sides(int chips, int dimensions);

/// Links that each chip of a block has to other blocks, on average: two ends of each row of chips.
double links_out_of(int block_chips, int dimensions);

/// Where blocks do not nest (12 chips in steps of 4) the part is a torus of its own, of lines.
TorusPart part_of_torus(const TorusShape&, RankSet, Concurrency);

}  // namespace cluster
}  // namespace tofn
