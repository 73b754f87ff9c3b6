#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/rows.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace evidence {

/// Columns that tables of measured steps may have: their own, and one for each row of `visit_plan`
/// that those do not word.
std::vector<std::string_view> step_columns();

/// Takes what the columns that are rows of `visit_plan` state; returns the names of these rows.
std::vector<std::string> read_plan_columns(const CsvRow&, Plan&);

}  // namespace evidence
}  // namespace tofn
