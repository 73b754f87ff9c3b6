#pragma once

#include <optional>

#include "sim/launch/shell_text.hpp"

namespace tofn {
inline namespace launch {

/// Text after sed's `s/WORD/OTHER/`, which replaces the first match of each line, or with `g` all.
/// Absent if it is another edit, or if WORD is a pattern.
std::optional<Glyphs> edited(const Glyphs& text, const Glyphs& edit);

}  // namespace launch
}  // namespace tofn
