#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace answers {

/// What steps of one's own were of.
struct OwnSubject {
  Model model;  ///< as the stack runs it
  Cluster cluster;
  KernelProfile stack;  ///< before they were measured
};

/// Steps of a table of the form of configs/measured, and how many rows were left out for what.
struct OwnRows {
  std::vector<ModelStepRow> rows;
  std::vector<std::string> left_out;  ///< `341 rows: of other layers than llama3-70b`
};

/// The rows of the subject's model, chip and stack. `asked` is the plan that options state and
/// `is_stated` which of its rows they do; InputError at a row that says otherwise, and where none
/// is left.
OwnRows rows_of_table(const std::filesystem::path& table, const OwnSubject&, const Plan& asked,
                      const std::function<bool(std::string_view name)>& is_stated,
                      const std::filesystem::path& configs, const Library&);

/// The subject that a profile names. InputError, at the file's key unless `file` is empty, where
/// something is unknown, or nothing of the stack is in doubt.
OwnSubject subject_of(const std::filesystem::path& file, const ModelSteps&,
                      const std::filesystem::path& configs, Library&);

/// The rows as steps that ran. InputError where a plan does not split the model.
std::vector<StepCase> cases_of(const ModelSteps&, const OwnSubject&);

/// The stack as these steps leave it, for a model on an accelerator: of others than theirs its
/// figures alone move.
KernelProfile sharpened_for(const Model&, const Accelerator&, const OwnSubject&,
                            std::span<const StepCase>);

/// A row beside what the stack says of it before it was measured, and after all were.
struct LearntRow {
  ModelStepRow row;
  Seconds before{};
  Seconds after{};
};
struct LearntSteps {
  OwnSubject subject;
  KernelProfile after;
  std::vector<LearntRow> rows;
};
LearntSteps learnt_steps(const ModelSteps&, const OwnSubject&);

}  // namespace answers
}  // namespace tofn
