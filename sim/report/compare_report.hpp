#pragma once

#include <span>
#include <string>

#include "sim/answers/compare_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Text of the errors of predictions by benchmark, and of the runs with the largest errors; the
/// details list all runs.
AnswerText compare_text(std::span<const BacktestRow>, std::string_view table = {});

/// One row for each published row.
Records compare_records(std::span<const BacktestRow>);
std::vector<ColumnWords> compare_columns();

}  // namespace report
}  // namespace tofn
