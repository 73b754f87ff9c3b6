#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/options/option_rows.hpp"

namespace tofn {
inline namespace options {

/// A command as its pages and completions show it.
struct ManualCommand {
  std::string name;
  std::string summary;
  std::vector<std::string> usages;  ///< the words after the program's name
  std::vector<std::string> examples;
  std::vector<OptionRow> rows;  ///< its own
};

/// A program, and all that is said of it.
struct Manual {
  std::string program;
  std::string summary;  ///< one sentence, without its full stop
  std::string version;
  std::string date;  ///< `2026-11-23`
  std::vector<OptionRow> common;
  std::vector<ManualCommand> commands;
  /// Sections that only the program's page has: a heading and its paragraphs.
  std::vector<std::pair<std::string, std::vector<std::string>>> sections;
};

/// With the options of one or more command lines, each once.
ManualCommand manual_command(std::string_view name, std::string_view summary,
                             const std::vector<CommandLine>& lines);

/// The page of section 1, in roff, of the program or of one command.
std::string man_page(const Manual&);
std::string man_page(const Manual&, const ManualCommand&);

/// What a shell reads to complete the program's commands, options and values.
std::string bash_completion(const Manual&);
std::string zsh_completion(const Manual&);
std::string fish_completion(const Manual&);

/// Writes all of these below a folder as they lie below /usr/share; the files.
std::vector<std::filesystem::path> write_manual(const Manual&, const std::filesystem::path& folder);

}  // namespace options
}  // namespace tofn
