#pragma once

#include <string>

#include "sim/answers/break_even_answer.hpp"
#include "sim/answers/sensitivity_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the inputs that move a prediction, strongest first, the uncertainty that makes its
/// interval wide, and the measurement that would narrow it most.
std::string sensitivity_text(const Sensitivity&);
/// One row a figure, then one row an uncertainty.
ExplainedRecords sensitivity_records(const Sensitivity&);

/// Text of the values at which another candidate of a search would be as good as its best; empty if
/// there are none.
std::string break_even_text(const std::vector<BreakEven>&);

}  // namespace report
}  // namespace tofn
