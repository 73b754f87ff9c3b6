#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

/// The words of Boost that command lines are declared and read with.
namespace tofn {
inline namespace options {
using boost::program_options::bool_switch;
using boost::program_options::options_description;
using boost::program_options::positional_options_description;
using boost::program_options::value;
using boost::program_options::variable_value;
using boost::program_options::variables_map;
}  // namespace options
}  // namespace tofn

namespace tofn {
inline namespace options {

/// A command's options and usage text.
struct CommandLine {
  std::string_view usage;     ///< the words after the program's name
  std::string_view examples;  ///< printed below the options
  options::options_description description;
  options::positional_options_description positional;
};

/// Parses; unknown or repeated options are InputErrors. `common` are options that all commands of
/// the program have, `--help` among them.
options::variables_map parse_words(const CommandLine&, const options::options_description& common,
                                   const std::vector<std::string>& words);

/// `usage: tofn predict ...`, the options, the examples.
std::string help_text(std::string_view program, const CommandLine&,
                      const options::options_description& common);

}  // namespace options
}  // namespace tofn
