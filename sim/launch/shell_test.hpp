#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/launch/shell_values.hpp"

namespace tofn {
inline namespace launch {

/// What `[ ... ]` or `[[ ... ]]` comes to, of its words without the brackets; nothing where a value
/// or a file would have to be known.
std::optional<bool> shell_test(const std::vector<Glyphs>& words);

}  // namespace launch
}  // namespace tofn
