#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "sim/core/rows.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace evidence {

/// Outcome of a job whose source states whether the memory sufficed.
enum class StepOutcome { Ran, OutOfMemory };
inline constexpr std::array<std::pair<std::string_view, StepOutcome>, 2> outcome_names{
    {{"ran", StepOutcome::Ran}, {"oom", StepOutcome::OutOfMemory}}};

/// One row of a table of measured steps of transformers.
struct StepCaseRow {
  std::string stack;        ///< as the table names it; empty for Megatron-LM
  std::string source;       ///< who measured it
  std::string accelerator;  ///< as the table names it
  Location location;
  StepCase step;
  std::vector<std::string> stated{};   ///< rows of `visit_plan` that its cells state, by name
  std::optional<Bytes> measured_peak;  ///< of the most loaded accelerator's memory
  bool peak_is_of_last_stage = false;  ///< the peak is the last rank's, most loaded or not
  std::optional<MemoryReading> peak_reading{};  ///< absent: what the stack reports
  std::optional<StepOutcome> outcome{};         ///< absent: it ran, since its step is stated

  bool states(std::string_view row) const { return std::ranges::find(stated, row) != stated.end(); }
};

/// Layers of the row's model, without dense ones before those with experts.
const TransformerLayers& body_of(const StepCaseRow&);

/// A row that could not be read.
struct RefusedStep {
  InputError mistake;
  std::string why{};    ///< a reason that other rows may share, else the mistake
  Location location{};  ///< of the row, if other rows may share the reason
};

struct StepCaseTable {
  std::vector<StepCaseRow> rows;
  std::vector<RefusedStep> refused;
};

/// Columns of what ran, with defaults filled in; `cluster` is chosen, not read.
Columns<StepCaseRow> step_case_columns();

/// Reads a table of steps. Unknown columns go to `notes`, a line each, and are refused if that is
/// null. Mistakes of rows go to `refused`; InputError if the file is no table or lacks a column
/// without a default.
StepCaseTable read_step_cases(const std::filesystem::path&, const Library&,
                              std::vector<std::string>* notes = nullptr);

/// Defaults of the columns that a table leaves out, for the help.
std::string_view step_case_defaults();

}  // namespace evidence
}  // namespace tofn
