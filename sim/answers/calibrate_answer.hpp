#pragma once

#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/curves/fit_curve.hpp"
#include "sim/curves/measure_next.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace answers {

/// A table and the curve through it.
struct FittedTable {
  CollectiveTable table;
  CurveFit fit;
};

std::vector<FittedTable> fit_tables(const std::vector<CollectiveTable>&);

/// Why no machine, or not this cluster (nullptr: it is not known), can have given the table; empty
/// where one can.
std::string impossibility_of(const CollectiveTable&, const Cluster*);

/// What can be measured next: nccl-tests hold several buffers of the largest size; an eighth of the
/// memory leaves room.
Reach reach_of(const Cluster*);

}  // namespace answers
}  // namespace tofn
