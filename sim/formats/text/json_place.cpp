#include <algorithm>

#include "sim/core/utf8.hpp"
#include "sim/formats/text/json_rows.hpp"

namespace tofn {
inline namespace formats {

Location place_of_byte(std::string_view text, const std::string& file, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<int>(line),
          static_cast<int>(character_count(before.substr(start))) + 1};
}

}  // namespace formats
}  // namespace tofn
