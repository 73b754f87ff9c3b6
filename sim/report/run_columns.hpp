#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/answers/predict_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// One size, or one phase of it.
struct RunLine {
  const RunPoint* point = nullptr;
  const RunEstimate* estimate = nullptr;  ///< nullptr if the size was skipped
  std::string phase{};
  std::optional<ScalingPoint> scaled{};

  const SimulatedStep* step() const {
    return estimate != nullptr ? estimate->simulated() : nullptr;
  }
  const Benchmark* benchmark() const {
    return estimate != nullptr ? estimate->benchmark() : nullptr;
  }
};

/// Columns of all records of runs: the request, the plan, and each figure with both ends of its
/// 90 % interval and its basis. Speedup and efficiency are against the reference. The
/// request must outlive the columns.
Columns<RunLine> columns_of_runs(const RunRequest&, const ScalingPoint& reference);

/// Names of these columns, and what each means.
std::vector<ColumnWords> run_columns();

}  // namespace report
}  // namespace tofn
