#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/app/command.hpp"
#include "sim/core/text_as_file.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace app {

/// `--from`, a file that a training is launched with, in the place of the job.
void add_launch_file_option(options::options_description&);
/// `--emit`, the plan in the words of a stack's launch files.
void add_emit_option(options::options_description&);

/// The options with what the file of --from says, `job` being the option that names what runs;
/// those that were given go above it. What of it is not understood is said.
struct LaunchedOptions {
  options::variables_map values;
  std::vector<std::unique_ptr<TextAsFile>> files{};  ///< that they name: as long as they are read
};
LaunchedOptions with_launch_file(const options::variables_map&, const char* job);

/// The launch file of --emit, of a job's last phase; empty where it was not asked for. What the
/// stack cannot express is said.
std::string emitted(const options::variables_map&, const RunFile&, const Plan&,
                    int accelerators_per_node);

}  // namespace app
}  // namespace tofn
