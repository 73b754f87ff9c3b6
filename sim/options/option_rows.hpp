#pragma once

#include <string>
#include <vector>

#include "sim/options/option.hpp"

namespace tofn {
inline namespace options {

/// Option as man pages and completions show it.
struct OptionRow {
  std::string name{};        ///< `--accelerators`
  std::string short_name{};  ///< `-N`; empty if there is none
  std::string description{};
  std::string default_value{};
  bool takes_value = false;
  /// Values that the description lists, e.g. `table, csv or json`; empty if it lists none.
  std::vector<std::string> choices{};
  /// Lists of `tofn list` with the names that the option takes, e.g. `clusters`.
  std::vector<std::string> lists{};
  bool is_positional = false;  ///< true if its name may be left out
};

/// Rows of all options in their order, including those that take words without a name.
std::vector<OptionRow> option_rows(const CommandOptions&);

/// Choices that a description lists as `a, b or c` or `a|b|c`, at its start or after a colon. Text
/// in brackets is ignored. Empty if the description lists none.
std::vector<std::string> listed_choices(const std::string& description);

}  // namespace options
}  // namespace tofn
