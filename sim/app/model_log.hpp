#pragma once

#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/measurements/step_log.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace app {

/// A step of a log of a model, and how it was split: by the options, the plan's file and what the
/// log says of its arguments and sizes. What nobody says is as the stack has it, and not `stated`.
struct LoggedModelStep {
  MeasuredStep step;
  PlanFile plan;
};

/// Remarks go to standard error. InputError where the log contradicts the options, the plan's file
/// or the model.
std::vector<LoggedModelStep> read_model_log(const std::string& file, const options::variables_map&,
                                            const CommonOptions&, const Model&,
                                            const KernelProfile& stack);

/// The options, with the length of samples that the log states where they do not.
options::variables_map with_sequence_length(options::variables_map, const std::string& file);

}  // namespace app
}  // namespace tofn
