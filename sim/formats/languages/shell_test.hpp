#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/formats/languages/shell_values.hpp"

namespace tofn {
inline namespace formats {

/// Result of `[ ... ]` or `[[ ... ]]`, given its words without the brackets; absent if it depends
/// on an unknown value or on a file.
std::optional<bool> shell_test(const std::vector<Glyphs>& words);

}  // namespace formats
}  // namespace tofn
