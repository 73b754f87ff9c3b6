#pragma once

#include <optional>

#include "sim/formats/languages/shell_text.hpp"

namespace tofn {
inline namespace formats {

/// Text after sed's `s/WORD/OTHER/`, which replaces the first match of each line, or with `g` all.
/// Absent if it is another edit, or if WORD is a pattern.
std::optional<Glyphs> edited(const Glyphs& text, const Glyphs& edit);

}  // namespace formats
}  // namespace tofn
