#pragma once

#include <string>

#include "sim/answers/job_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_options.hpp"

// What predict and scale are asked of a run of a model.

namespace tofn {
inline namespace app {

/// Adds how much is trained at which batch, what goes on beside it, and whose software runs it.
void add_run_options(options::options_description&);

/// A run by its name or file, or what the options ask of a model, with the model as its stack runs
/// it and what options say of plans in the place of theirs. InputError at an option that the run's
/// file leaves nothing to.
RunFile run_of(const options::variables_map&, const CommonOptions&, const std::string& subject,
               const KernelProfile&);

/// The stack of `--stack`, else that of the run.
KernelProfile stack_of(const options::variables_map&, const CommonOptions&,
                       const std::string& subject);

/// A number above 0 as people write large ones: `2T`, `500k`.
std::optional<double> large_number(const options::variables_map&, const char* name);

/// g CO2 equivalents of a kWh.
double grid_of(const options::variables_map&);

/// Whether a name or a file is of a run.
bool names_run(const std::filesystem::path& configs, const std::string& name_or_file);

}  // namespace app
}  // namespace tofn
