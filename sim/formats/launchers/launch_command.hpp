#pragma once

#include <optional>
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

/// Name of an option without its dashes, and the value behind `=`; absent if it has none.
struct CommandOption {
  std::string name;
  std::optional<Glyphs> value;
};

/// Option that the word is: `--name`, `--name=value`, `-n`. Absent if it is none, or a negative
/// number.
std::optional<CommandOption> option_of(const Glyphs& word);
/// Pair `key=value` that the word is, as Hydra and MaxText take it; absent if it is none.
std::optional<CommandOption> pair_of(const Glyphs& word);
/// True if nothing of the word is known, and it is not empty.
bool is_all_unknown(const Glyphs& word);

}  // namespace formats
}  // namespace tofn
