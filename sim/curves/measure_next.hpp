#pragma once

#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/curves/fit_nodes.hpp"

namespace tofn {

/// A measurement worth making.
struct Suggestion {
  int nodes = 0;  ///< 0: the node count of the table
  Bytes size;
  double width = 1;  ///< high / low of the interval there today
};

/// The sizes not measured, powers of two from 8 B to 16 GiB, where the interval is widest: at most
/// `count`, the widest first.
std::vector<Suggestion> measure_next(const CostCurve& curve, int count);

/// Of every power of two of nodes up to `largest_nodes` the size where the interval is widest: at
/// most `count`, the widest first.
std::vector<Suggestion> measure_next(const NodesFit& fit, int largest_nodes, int count);

}  // namespace tofn
