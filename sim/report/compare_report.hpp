#pragma once

#include <span>
#include <string>

#include "sim/answers/compare_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// How far off predictions are, a row a benchmark, and the runs that are farthest off; all runs
/// stand in the details.
AnswerText compare_text(std::span<const BacktestRow>);

/// One record per row.
Records compare_records(std::span<const BacktestRow>);
std::vector<ColumnMeaning> compare_columns();

}  // namespace report
}  // namespace tofn
