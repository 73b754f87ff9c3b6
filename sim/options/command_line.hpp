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
  CommandOptions rows{};
  std::string_view title = "Options";  ///< heads the options in its help
  CommandOptions refused{};            ///< options, in no help, that it refuses with a reason
};

/// Parses the words of a command line. InputError if an option is unknown or repeated. `common` are
/// the options that all commands of the program have, such as `--help`.
options::variables_map parse_words(const CommandLine&, const CommandOptions& common,
                                   const std::vector<std::string>& words);

/// Text of `--help`: the usage (`usage: tofn predict ...`), the options and the examples.
std::string help_text(std::string_view program, const CommandLine&, const CommandOptions& common);

}  // namespace options
}  // namespace tofn
