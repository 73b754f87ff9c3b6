#pragma once

#include <string>
#include <vector>

#include "sim/launch/launch_file.hpp"
#include "sim/launch/shell_run.hpp"

namespace tofn {
inline namespace launch {

/// Whether a command starts a training: `torchrun`, `deepspeed`, `accelerate launch`, or Python.
bool starts_training(const ShellCommand& command);
/// Whether it goes through a launcher of several processes, so that it counts before others.
bool starts_processes(const ShellCommand& command);

/// Adds the options of the launcher, the program, and its options.
void add_command_settings(const ShellCommand& command, const ShellSources& sources,
                          LaunchFile& file);

}  // namespace launch
}  // namespace tofn
