#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "sim/core/rows.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace evidence {

/// One row of a table of measured steps of transformers.
struct StepCaseRow {
  std::string stack;        ///< as the table names it; empty: Megatron-LM
  std::string source;       ///< who measured it
  std::string accelerator;  ///< as the table names it
  Location location;
  StepCase step;
  std::optional<Bytes> measured_peak;  ///< of the fullest accelerator's memory
  bool peak_is_of_last_stage = false;  ///< of which the last rank tells, full or not
};

/// The layers of the row's model, without dense ones before those with experts.
const TransformerLayers& body_of(const StepCaseRow&);

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

}  // namespace evidence
}  // namespace tofn
