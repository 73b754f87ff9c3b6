#pragma once

#include <cstddef>
#include <string_view>

namespace tofn {

/// Well-formed UTF-8 (RFC 3629) without NUL.
bool is_text(std::string_view bytes);

/// Characters in well-formed UTF-8.
std::size_t character_count(std::string_view text);

/// `text` without a leading U+FEFF, which some editors write at the start of a file.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace tofn
