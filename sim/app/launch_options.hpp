#pragma once

#include <optional>
#include <string>

#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_run.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/launch/launch_stack.hpp"

namespace tofn {
inline namespace app {

/// Row of `--from`.
CommandOption launch_file_row();
/// Row of `--emit`.
CommandOption emit_row();

/// What the files of `--from` launch. They take the place of the job: the first word without an
/// option is the cluster, but for a model that they do not name.
struct Launched {
  std::string files{};
  const Launcher* launcher = nullptr;
  LaunchedTraining training{};
  std::string cluster{};
};

/// Says which keys are not understood. InputErrors are of the files; absent: none are given.
/// `library`: where the cluster is, whose nodes count where the files have none.
std::optional<Launched> launched_of(const options::variables_map&, const CommonOptions&,
                                    Library& library);

/// The stack of `--stack`, else the one that the files are of, which is said.
KernelProfile stack_of(const options::variables_map&, const CommonOptions&, const Launched&);

/// Their model and their plan; options go before them, which is said.
Model launched_model(const options::variables_map&, const CommonOptions&, const Launched&,
                     const KernelProfile&);
PlanFile launched_plan(const options::variables_map&, const CommonOptions&, const Launched&,
                       const KernelProfile&);
/// What they train, likewise.
RunFile run_of(const options::variables_map&, const CommonOptions&, const Launched&,
               const KernelProfile&);

/// The launcher of `--emit`; null: none is asked for. InputError where it is not known, or where
/// the answer, which `--format` makes a table of, has no place for its file.
const Launcher* emitted_launcher(const options::variables_map&);

/// The file of a launcher that is asked for, of a run by a plan.
struct EmittedFile {
  const Launcher* launcher = nullptr;  ///< null: none is
  const RunFile& run;
  std::string subject;  ///< its model or run, by name or file; empty: a launch file says it
  const Plan& plan;
  const Cluster& cluster;
};
/// Adds it to the answer, or writes it to the file of `-o`. Says what it leaves out; where no file
/// can launch the plan, the answer stands alone, with exit code 2.
void add_launch_file(const EmittedFile&, const CommonOptions&, CommandAnswer&);

}  // namespace app
}  // namespace tofn
