#pragma once

#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/curves/collective_table.hpp"
#include "sim/curves/fit_curve.hpp"
#include "sim/curves/measure_next.hpp"

namespace tofn {
inline namespace answers {

/// A table and the curve through it.
struct FittedTable {
  CollectiveTable table;
  CurveFit fit;
};

std::vector<FittedTable> fit_tables(const std::vector<CollectiveTable>&);

/// Returns why no machine, or not this cluster (nullptr if it is not known), can have produced the
/// table; empty if one can.
std::string impossibility_of(const CollectiveTable&, const Cluster*);

/// Returns the sizes to measure next. The largest is at most an eighth of the accelerator's memory,
/// because nccl-tests allocates several buffers of that size.
Reach reach_of(const Cluster*);

}  // namespace answers
}  // namespace tofn
