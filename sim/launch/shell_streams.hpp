#pragma once

#include <optional>

#include "sim/launch/shell_text.hpp"

namespace tofn {
inline namespace launch {

/// A text after `s/WORD/OTHER/` of sed, on the first of each line, or with `g` on all. Nothing
/// where the edit is another, or its word is a pattern.
std::optional<Glyphs> edited(const Glyphs& text, const Glyphs& edit);

}  // namespace launch
}  // namespace tofn
