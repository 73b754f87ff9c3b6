#pragma once

#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace app {

/// Reads the steps of a log, and prints remarks on standard error. `plan` becomes theirs: options,
/// the plan's file and the log's arguments replace its fields; other fields are the stack's
/// defaults, and are not in `stated`. InputError if the log contradicts the options, the plan's
/// file or the model.
std::vector<MeasuredStep> read_model_log(const std::string& file, const options::variables_map&,
                                         const CommonOptions&, const Model&,
                                         const KernelProfile& stack, StatedPlan& plan);

/// Sets the sizes of the plan that a log states for the step.
StatedPlan with_sizes_of(const MeasuredStep&, StatedPlan plan);

/// Adds the sequence length that the log states to the options, unless they state one.
options::variables_map with_sequence_length(options::variables_map, const std::string& file);

}  // namespace app
}  // namespace tofn
