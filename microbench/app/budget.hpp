#pragma once

#include <vector>

#include "microbench/compute/shape.hpp"
#include "microbench/harness/stopping.hpp"

namespace tofn::bench {

/// Number of points that can be sampled in `seconds`, each with the fewest visits that the rule
/// allows; a multiple of `together`, the points that are only useful together.
int points_that_fit(int points, int together, double seconds, const StoppingRule&);

/// Selects the `count` most useful of ascending sizes for a curve, in ascending order: the
/// smallest, for the latency, the largest, for the bandwidth, then the middle of each gap.
std::vector<double> most_useful_sizes(const std::vector<double>& sizes, int count);

/// The heaviest shape of each workload, then the second of each, and so on; each shape once. In
/// `by_workload`, the heaviest come first.
std::vector<GemmShape> in_turn(const std::vector<std::vector<GemmShape>>& by_workload);

}  // namespace tofn::bench
