#pragma once

#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/curves/fit_nodes.hpp"

namespace tofn {
inline namespace curves {

/// A measurement worth making.
struct Suggestion {
  int nodes = 0;  ///< 0: the node count of the table
  Bytes size;
  double width = 1;  ///< high / low of the interval there today
};

/// What is worth suggesting: powers of two within a factor of `reach` of the sizes measured, as an
/// interval further out is a guess, and of at most `largest` bytes.
struct Reach {
  double reach = far_beyond;
  Bytes largest{0x1p34};
};

/// The sizes not measured, from 8 B up, where the interval is widest: at most `count`, the widest
/// first.
std::vector<Suggestion> measure_next(const CostCurve& curve, int count, const Reach& = {});

/// Of every power of two of nodes up to `largest_nodes` the size where the interval is widest: at
/// most `count`, the widest first.
std::vector<Suggestion> measure_next(const NodesFit& fit, int largest_nodes, int count,
                                     const Reach& = {});

}  // namespace curves
}  // namespace tofn
