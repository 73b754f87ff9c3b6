#pragma once

#include <string>
#include <vector>

namespace tofn {

/// One row of `tofn help COMMAND`.
struct Option {
  std::string name;     ///< without its leading dashes
  std::string meaning;  ///< states its default
  bool takes_value = true;
  bool is_argument = false;  ///< may be given without its name
};

/// Options of a command, followed by those that all commands share. Throws Error if the command is
/// not known.
std::vector<Option> options_of_command(const std::string& command);

/// Usage, options and examples as `tofn help COMMAND` prints them.
std::string help(const std::string& command);

}  // namespace tofn
