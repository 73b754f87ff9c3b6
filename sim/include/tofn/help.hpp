#pragma once

#include <string>
#include <vector>

namespace tofn {

/// One row of `tofn help COMMAND`.
struct Option {
  std::string name;     ///< without dashes before it
  std::string meaning;  ///< with its default
  bool takes_value = true;
  bool is_argument = false;  ///< may be given without its name
};

/// Those of a command, its own before those of all commands. Error where the command is not known.
std::vector<Option> options_of_command(const std::string& command);

/// Usage, options and examples as `tofn help COMMAND` prints them.
std::string help(const std::string& command);

}  // namespace tofn
