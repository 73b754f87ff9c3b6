#pragma once

#include <span>
#include <vector>

#include "sim/curves/cost_curve.hpp"
#include "sim/measurements/collective_table.hpp"
#include "sim/validation/score.hpp"

namespace tofn {

/// Rows of `table` beside what `curve`, which had seen up to `calibrated_nodes`, says of them.
std::vector<ScoredRow> score_rows(const CollectiveTable& table, std::span<const CollectiveRow> rows,
                                  const CostCurve& curve, int calibrated_nodes);

}  // namespace tofn
