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

/// Model, cluster and stack of the user's own measured steps.
struct OwnSubject {
  Model model;  ///< as the stack runs it
  Cluster cluster;
  KernelProfile stack;  ///< as it was before these measurements
};

/// Rows of a table in the format of configs/measured with the subject's model, chip and stack.
/// `request` is the plan that options state, and `is_stated` is true for the plan rows that they
/// state. `left_out` receives a line for each reason to leave rows out: `341 rows: of other layers
/// than llama3-70b`. InputError if a row contradicts a stated one, or if no row is left.
std::vector<MeasuredStep> rows_of_table(const std::filesystem::path& table, const OwnSubject&,
                                        const Plan& request,
                                        const std::function<bool(std::string_view name)>& is_stated,
                                        const std::filesystem::path& configs, const Library&,
                                        std::vector<std::string>& left_out);

/// Returns the subject that a profile names. InputError, at the file's key unless `file` is empty,
/// if a name is unknown or the stack has no uncertain figure.
OwnSubject subject_of(const std::filesystem::path& file, const ModelSteps&,
                      const std::filesystem::path& configs, Library&);

/// Returns the rows as measured steps. InputError if a plan does not split the model.
std::vector<StepCase> cases_of(const ModelSteps&, const OwnSubject&);

/// Returns a remark for each pair of rows of one job, with the same plan and batch, whose times
/// differ by more than a fifth.
std::vector<std::string> contradictions(const std::vector<MeasuredStep>&);

/// Returns the stack as updated by these steps, for a model on an accelerator. For another model or
/// accelerator than the measured ones, only the stack's figures change.
KernelProfile sharpened_for(const Model&, const Accelerator&, const OwnSubject&,
                            std::span<const StepCase>);

/// A measured step beside the stack's predictions before and after the measurements.
struct LearnedRow {
  MeasuredStep row;
  Seconds before{};
  Seconds after{};
};
struct LearnedSteps {
  OwnSubject subject;
  KernelProfile after;
  std::vector<LearnedRow> rows;
};
LearnedSteps learned_steps(const ModelSteps&, const OwnSubject&);

}  // namespace answers
}  // namespace tofn
