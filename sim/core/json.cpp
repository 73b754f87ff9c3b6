#include "sim/core/json.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "sim/core/utf8.hpp"

namespace tofn {

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const char first = text.front();
    std::size_t length = 1;
    if (first == '"' || first == '\\') {
      quoted += fmt::format("\\{}", first);
    } else if (static_cast<unsigned char>(first) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(first));
    } else if (length = character_length(text); length > 0) {
      quoted += text.substr(0, length);
    } else {
      quoted += "\uFFFD";
      length = 1;
    }
    text.remove_prefix(length);
  }
  return quoted + '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string json_number(double value, int significant_digits) {
  return std::isfinite(value) ? fmt::format("{:.{}g}", value, significant_digits) : "null";
}

}  // namespace tofn
