#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "sim/report/records.hpp"
#include "sim/simulation/step_case.hpp"

namespace tofn {

/// One row of a table of measured steps of GPT models under Megatron-style plans.
struct StepCaseRow {
  std::string accelerator;  ///< as the table names it
  Location location;
  StepCase step;
};

struct StepCaseTable {
  std::vector<StepCaseRow> rows;
  std::vector<InputError> refused;  ///< one a row that could not be read
};

/// Columns that say what ran, with what the table leaves out filled in; `cluster` is chosen, not
/// read.
Columns<StepCaseRow> step_case_columns();

/// Other columns are ignored. A row's mistake is told in `refused`; InputError where the file is no
/// table or lacks a column that has no usual value.
StepCaseTable read_step_cases(const std::filesystem::path&, const Library&);

/// What a table that leaves a column out is read with, for the help.
std::string_view step_case_defaults();

}  // namespace tofn
