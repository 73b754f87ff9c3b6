#pragma once

#include <vector>

#include "microbench/compute/shape.hpp"
#include "microbench/harness/stopping.hpp"

namespace tofn::bench {

/// How many of `points` can be sampled in so many seconds, each in the visits that the rule asks
/// for at least; a multiple of `together`, the points that say something only with each other.
int points_that_fit(int points, int together, double seconds, const StoppingRule&);

/// The `count` of ascending sizes that say most about a curve, ascending again: the smallest, for
/// the latency, the largest, for the bandwidth, then the middle of what lies between, and so on.
std::vector<double> most_useful_sizes(const std::vector<double>& sizes, int count);

/// The heaviest shape of each workload, then the second of each, and so on; each shape once.
/// `by_workload`: the heaviest first.
std::vector<GemmShape> in_turn(const std::vector<std::vector<GemmShape>>& by_workload);

}  // namespace tofn::bench
