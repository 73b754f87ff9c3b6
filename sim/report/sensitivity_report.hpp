#pragma once

#include <string>

#include "sim/answers/break_even_answer.hpp"
#include "sim/answers/sensitivity_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// What moves a prediction, strongest first; whose doubt makes its interval, and the measurement
/// that would narrow it most.
std::string sensitivity_text(const Sensitivity&);
/// A row a figure, then a row a doubt.
ExplainedRecords sensitivity_records(const Sensitivity&);

/// Values at which another candidate of a search would be as good as its best; empty: there are
/// none.
std::string break_even_text(const std::vector<BreakEven>&);

}  // namespace report
}  // namespace tofn
