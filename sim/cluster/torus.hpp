#pragma once

#include <array>

namespace tofn {
inline namespace cluster {

/// `count` ranks, every `stride`-th one, of a job whose ranks fill the nodes in order. Sets that
/// differ only in their first rank run the same collective at the same time (one per rail).
struct RankSet {
  int stride = 1;
  int count = 1;
};

/// Sets that communicate at once: all sets of the job, or one alone.
enum class Concurrency { AllSets, OneSet };

/// Torus that a job fills: `chips` factored as near to a square or cube as possible, in blocks, so
/// that a part of the ranks in order is a smaller such torus. 0 dimensions: not a torus.
struct TorusShape {
  int dimensions = 0;
  int closes_from = 1;  ///< chips from which sides are rings; fewer, or parts of a side: lines
  int chips = 1;
  double links_between = 1;  ///< of each chip to other scale-up domains, on average
};

/// One dimension of a set's part of the torus.
struct TorusSide {
  int length = 1;
  bool closes = false;  ///< is a ring
  int sharing = 1;      ///< sets that share its links and communicate at once
};

/// A set's part of the torus. Each dimension has one link in each direction.
struct TorusPart {
  TorusShape whole;
  RankSet set;
  Concurrency concurrency = Concurrency::AllSets;
  std::array<TorusSide, 3> sides{};
};

/// Chips along each dimension. Prime factors, from the largest down, each go to the shortest side.
std::array<int, 3> torus_sides(int chips, int dimensions);

/// Average number of links from a chip of a block to other blocks: two ends of each row of chips.
double links_out_of(int block_chips, int dimensions);

/// Part of the torus for a set. If blocks do not nest (12 chips in steps of 4), it is a separate
/// torus of lines.
TorusPart part_of_torus(const TorusShape&, RankSet, Concurrency);

}  // namespace cluster
}  // namespace tofn
