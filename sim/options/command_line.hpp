#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/options/option.hpp"

namespace tofn {
inline namespace options {

/// A command's options and usage text.
struct CommandLine {
  std::string_view usage;     ///< the words after the program's name
  std::string_view examples;  ///< printed below the options
  options::options_description description;
  options::positional_options_description positional;
  CommandOptions rows{};  ///< what the description was made of
};

/// The command line with these options; `title` heads them in its help.
CommandLine command_line(std::string_view usage, std::string_view examples, CommandOptions rows,
                         const std::string& title = "Options");

/// Options as Boost reads them, under a title.
options::options_description described(const CommandOptions&, const std::string& title);

/// Parses; unknown or repeated options are InputErrors. `common` are options that all commands of
/// the program have, `--help` among them.
options::variables_map parse_words(const CommandLine&, const options::options_description& common,
                                   const std::vector<std::string>& words);

/// `usage: tofn predict ...`, the options, the examples.
std::string help_text(std::string_view program, const CommandLine&,
                      const options::options_description& common);

}  // namespace options
}  // namespace tofn
