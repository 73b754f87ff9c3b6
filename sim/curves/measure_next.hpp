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
  double width = 1;  ///< high / low of the present interval there
};

/// Limits of suggestions: powers of two within a factor of `reach` of the measured sizes, because
/// intervals further out are guesses, and at most `largest` bytes.
struct Reach {
  double reach = far_beyond;
  Bytes largest{0x1p34};
};

/// The unmeasured sizes from 8 B with the widest intervals: at most `count`, the widest first.
std::vector<Suggestion> measure_next(const CostCurve& curve, int count, const Reach& = {});

/// The size with the widest interval for each power of two of nodes up to `largest_nodes`: at most
/// `count`, the widest first.
std::vector<Suggestion> measure_next(const NodesFit& fit, int largest_nodes, int count,
                                     const Reach& = {});

}  // namespace curves
}  // namespace tofn
