#pragma once

#include <string>
#include <vector>

#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace options {

/// An option as manuals and completions show it.
struct OptionRow {
  std::string name{};        ///< `--accelerators`
  std::string short_name{};  ///< `-N`; empty: none
  std::string description{};
  std::string default_value{};
  bool takes_value = false;
  /// Values that its description lists, `table, csv or json`; empty: it takes others.
  std::vector<std::string> choices{};
  /// What `tofn list` shows the names of that it takes: `clusters`.
  std::vector<std::string> lists{};
  bool is_positional = false;  ///< its name may be left out
};

/// In their order; those that take words without a name are among them.
std::vector<OptionRow> option_rows(const CommandLine&);
std::vector<OptionRow> option_rows(const options::options_description&);

/// `a, b or c` or `a|b|c` in a description that starts so, or behind its colon, without what it
/// says in brackets; empty: there is none.
std::vector<std::string> listed_choices(const std::string& description);

}  // namespace options
}  // namespace tofn
