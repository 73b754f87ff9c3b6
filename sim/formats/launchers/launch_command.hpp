#pragma once

#include <string>
#include <vector>

#include "sim/formats/languages/shell_run.hpp"
#include "sim/formats/launchers/launch_file.hpp"

namespace tofn {
inline namespace formats {

/// True if the command starts a training: `torchrun`, `deepspeed`, `accelerate launch`, or Python.
bool starts_training(const ShellCommand& command);
/// True if a launcher of several processes starts it, so that it takes precedence over other
/// commands.
bool starts_processes(const ShellCommand& command);

/// Adds the options of the process launcher, the program, and the program's options to `file`.
void add_command_settings(const ShellCommand& command, const ShellSources& sources,
                          LaunchFile& file);

}  // namespace formats
}  // namespace tofn
