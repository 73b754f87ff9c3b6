#pragma once

#include <cstddef>
#include <string_view>

namespace tofn {

/// Number of bytes of the well-formed character that `bytes`, which are not empty, start with; 0 if
/// they start with none, or with NUL.
std::size_t character_length(std::string_view bytes);

/// True if the bytes are well-formed UTF-8 (RFC 3629) without NUL.
bool is_text(std::string_view bytes);

/// Number of characters in well-formed UTF-8.
std::size_t character_count(std::string_view text);

/// Returns `text` without a leading U+FEFF, which some editors write at the start of a file.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace tofn
