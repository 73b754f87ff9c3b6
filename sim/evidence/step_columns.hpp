#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/rows.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace evidence {

/// Columns that tables of measured steps may have: their own, and one for each other row of
/// `visit_plan`.
std::vector<std::string_view> step_columns();

/// Sets the plan's members from columns that are rows of `visit_plan`; returns the names of these
/// rows.
std::vector<std::string> read_plan_columns(const CsvRow&, Plan&);

}  // namespace evidence
}  // namespace tofn
