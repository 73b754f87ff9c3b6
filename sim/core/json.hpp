#pragma once

#include <string>
#include <string_view>

namespace tofn {

/// Returns text in quotes (RFC 8259). Bytes that are not UTF-8 become U+FFFD, so that one stray
/// byte of an environment variable does not make a whole document unreadable.
std::string json_text(std::string_view text);

/// Shortest text that reads back as the same double. It always has a point or an exponent, so that
/// it differs from a whole number; `null` if the value is not finite.
std::string json_number(double value);

/// Text of the rounded number; `null` if it is not finite.
std::string json_number(double value, int significant_digits);

}  // namespace tofn
