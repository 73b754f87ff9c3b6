#pragma once

#include <optional>
#include <string>

#include "sim/launch/shell_values.hpp"

namespace tofn {
inline namespace launch {

/// An option's name without its dashes, and the value behind `=`.
struct CommandOption {
  std::string name;
  std::optional<Glyphs> value;
};

/// `--name`, `--name=value`, `-n`; no number below zero.
std::optional<CommandOption> option_of(const Glyphs& word);
/// `key=value`, as Hydra and MaxText take it.
std::optional<CommandOption> pair_of(const Glyphs& word);
/// A variable of which nothing is known.
bool is_all_unknown(const Glyphs& word);

}  // namespace launch
}  // namespace tofn
