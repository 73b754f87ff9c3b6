#pragma once

#include <optional>
#include <string>

#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_run.hpp"
#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/kernel/kernel_profile.hpp"

namespace tofn {
inline namespace app {

/// Row of `--from`.
CommandOption launch_file_row();
/// Row of `--emit`.
CommandOption emit_row();

/// Training that the files of `--from` launch. The files replace the job, so a single word without
/// an option is the cluster. If there are two, the first is the model.
struct Launched {
  std::string files{};
  const Launcher* launcher = nullptr;
  LaunchedTraining training{};
  std::string cluster{};
};

/// Reads the files of `--from`, and reports the keys that it does not understand. Absent if no
/// files are given; InputError if they are invalid. The cluster in `library` gives the accelerators
/// per node if the files do not state them.
std::optional<Launched> launched_of(const options::variables_map&, const CommonOptions&,
                                    Library& library);

/// Stack of `--stack`, otherwise that of the files, which is then reported.
KernelProfile stack_of(const options::variables_map&, const CommonOptions&, const Launched&);

/// Model and plan of the files. Options override them, which is reported.
Model launched_model(const options::variables_map&, const CommonOptions&, const Launched&,
                     const KernelProfile&);
StatedPlan launched_plan(const options::variables_map&, const CommonOptions&, const Launched&,
                         const KernelProfile&);
/// Run of the files, with the same overrides.
StatedRun run_of(const options::variables_map&, const CommonOptions&, const Launched&,
                 const KernelProfile&);

/// Launcher of `--emit`; null if none is requested. InputError if it is unknown, or if `--format`
/// requests CSV or JSON, which has no place for the launch file.
const Launcher* emitted_launcher(const options::variables_map&);

/// Launch file that is requested for a run under a plan.
struct EmittedFile {
  const Launcher* launcher = nullptr;  ///< null if no file is requested
  const StatedRun& run;
  std::string subject;  ///< model or run by name or file; empty if a launch file states it
  const Plan& plan;
  const Cluster& cluster;
};
/// Adds the launch file to the answer, or writes it to the file of `-o`, and reports what the file
/// leaves out. If the launcher cannot run the plan, the answer has no file and exit code 2.
void add_launch_file(const EmittedFile&, const CommonOptions&, CommandAnswer&);

}  // namespace app
}  // namespace tofn
