#pragma once

#include <string>

#include "sim/evidence/own_observations.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the overhead, the efficiency, the error of each row, and the batch to run next.
std::string step_fit_text(const OwnFit&);

/// One row for each row of the profile.
ExplainedRecords step_fit_records(const OwnFit&);

}  // namespace report
}  // namespace tofn
