#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/answers/compare_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// A published round with its predictions.
struct PredictedRound {
  std::string name;  ///< of its table: `mlperf-training-v5.1`
  std::vector<BacktestRow> rows;
};

/// The scored runs with the largest errors of all rounds, largest first, each with the error of its
/// terms and the term that makes most of it. Terms are those of `RowErrors`.
ExplainedRecords worst_records(std::span<const PredictedRound>);

}  // namespace report
}  // namespace tofn
