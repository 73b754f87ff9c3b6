#pragma once

#include <string>
#include <vector>

#include "sim/answers/calibrate_answer.hpp"
#include "sim/curves/collective_table.hpp"
#include "sim/curves/fit_curve.hpp"
#include "sim/curves/measure_next.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the fitted curves: errors of each form on held-out rows, outliers, growth of time with
/// nodes, and what to measure next within reach.
std::string calibrate_text(const std::vector<FittedTable>& fitted, const Reach& = {});

/// One row per table and form of curve.
ExplainedRecords calibrate_records(const std::vector<FittedTable>& fitted);

}  // namespace report
}  // namespace tofn
