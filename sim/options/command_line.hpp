#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/options/option.hpp"

namespace tofn {
inline namespace options {

/// Options and usage text of a command.
struct CommandLine {
  std::string_view usage;     ///< words after the program's name
  std::string_view examples;  ///< printed below the options
  options::options_description description;
  options::positional_options_description positional;
  CommandOptions rows{};  ///< options from which the description was made
};

/// Makes a command line with these options; `title` heads them in its help.
CommandLine command_line(std::string_view usage, std::string_view examples, CommandOptions rows,
                         const std::string& title = "Options");

/// Converts options to those of Boost, under a title.
options::options_description described(const CommandOptions&, const std::string& title);

/// Parses the words of a command line. InputError if an option is unknown or repeated. `common` are
/// the options that all commands of the program have, such as `--help`.
options::variables_map parse_words(const CommandLine&, const options::options_description& common,
                                   const std::vector<std::string>& words);

/// Text of `--help`: the usage (`usage: tofn predict ...`), the options and the examples.
std::string help_text(std::string_view program, const CommandLine&,
                      const options::options_description& common);

}  // namespace options
}  // namespace tofn
