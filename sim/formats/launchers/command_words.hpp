#pragma once

#include <optional>
#include <string>

#include "sim/formats/languages/shell_values.hpp"

namespace tofn {
inline namespace formats {

/// Name of an option without its dashes, and the value behind `=`; absent if it has none.
struct CommandOption {
  std::string name;
  std::optional<Glyphs> value;
};

/// Option that the word is: `--name`, `--name=value`, `-n`. Absent if it is none, or a negative
/// number.
std::optional<CommandOption> option_of(const Glyphs& word);
/// Pair `key=value` that the word is, as Hydra and MaxText take it; absent if it is none.
std::optional<CommandOption> pair_of(const Glyphs& word);
/// True if nothing of the word is known, and it is not empty.
bool is_all_unknown(const Glyphs& word);

}  // namespace formats
}  // namespace tofn
