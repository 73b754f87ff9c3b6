#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/options/command_line.hpp"
#include "sim/options/option_rows.hpp"

namespace tofn {
inline namespace options {

/// Command as man pages and completions show it.
struct ManualCommand {
  std::string name;
  std::string summary;
  std::vector<std::string> usages;  ///< words after the program's name
  std::vector<std::string> examples;
  std::vector<OptionRow> rows;  ///< without the common options
};

/// Content of a program's man pages and completions.
struct Manual {
  std::string program;
  std::string summary;  ///< one sentence, without its full stop
  std::string version;
  std::string date;  ///< `2026-11-23`
  std::vector<OptionRow> common;
  std::vector<ManualCommand> commands;
  /// Headings and paragraphs of the sections that only the program's page has.
  std::vector<std::pair<std::string, std::vector<std::string>>> sections;
};

/// Makes the manual of a command from its command lines, with each option once.
ManualCommand manual_command(std::string_view name, std::string_view summary,
                             const std::vector<CommandLine>& lines);

/// Man page (section 1, in roff) of the program or of one command.
std::string man_page(const Manual&);
std::string man_page(const Manual&, const ManualCommand&);

/// Script with which a shell completes the program's commands, options and values.
std::string bash_completion(const Manual&);
std::string zsh_completion(const Manual&);
std::string fish_completion(const Manual&);

/// Writes the man pages and completions into a folder that is laid out like /usr/share, and returns
/// the paths of the files.
std::vector<std::filesystem::path> write_manual(const Manual&, const std::filesystem::path& folder);

}  // namespace options
}  // namespace tofn
