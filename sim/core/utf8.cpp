#include "sim/core/utf8.hpp"

#include <algorithm>

namespace tofn {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

std::size_t length_after(unsigned char lead) {
  if (lead == 0) return 0;
  if (lead < 0x80U) return 1;
  if (lead < 0xC2U || lead > 0xF4U) return 0;
  return lead < 0xE0U ? 2 : lead < 0xF0U ? 3 : 4;
}

/// True unless the second byte shows an overlong form, a surrogate or a value above U+10FFFF (RFC
/// 3629, section 3).
bool is_allowed(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0U:
      return second >= 0xA0U;
    case 0xEDU:
      return second < 0xA0U;
    case 0xF0U:
      return second >= 0x90U;
    case 0xF4U:
      return second < 0x90U;
    default:
      return true;
  }
}

}  // namespace

std::size_t character_length(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  const std::size_t length = length_after(lead);
  if (length < 2) return length;
  if (bytes.size() < length) return 0;
  const std::string_view rest = bytes.substr(1, length - 1);
  const bool is_complete = std::ranges::all_of(rest, is_continuation);
  return is_complete && is_allowed(lead, static_cast<unsigned char>(rest.front())) ? length : 0;
}

bool is_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::size_t character_count(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

}  // namespace tofn
