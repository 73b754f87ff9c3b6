#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "sim/core/rows.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace answers {

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

/// A prediction by a constant that has not seen the step.
struct HeldOut {
  Seconds predicted;
  double gemm_efficiency = 0;
};

/// A row of the table that could be predicted.
struct PredictedCase {
  const StepCaseRow* row = nullptr;
  StepTimes times;
  std::optional<HeldOut> held_out;

  /// predicted / measured - 1, if it was measured.
  std::optional<double> error() const;
  std::optional<double> held_out_error() const;
};

/// Predicts what can be; rows that cannot join the refused ones, at their place.
std::vector<PredictedCase> predict_cases(StepCaseTable&, const KernelProfile&);

/// Predicts the measured steps of each value of a column by an efficiency fitted to the others, and
/// all steps by one fitted to all; returns that one. InputError where no two values of the column
/// were measured.
double leave_one_out(std::vector<PredictedCase>&, KernelProfile, const Column<StepCaseRow>&);

bool any_held_out(const std::vector<PredictedCase>&);

}  // namespace answers
}  // namespace tofn
