#pragma once

#include <string>

#include "sim/evidence/own_observations.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Overhead, efficiency, how far off each row is, and which batch to run next.
std::string step_fit_text(const OwnFit&);

/// One row per row of the profile.
ExplainedRecords step_fit_records(const OwnFit&);

}  // namespace report
}  // namespace tofn
