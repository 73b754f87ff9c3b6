#pragma once

#include <optional>
#include <string_view>

namespace tofn {

/// Reads US dollars above 0 as people write them: `500k`, `$500k`, `1.5M USD`, `2 M USD`. Absent if
/// the text is none.
std::optional<double> parse_dollars(std::string_view text);

/// True if the text states the currency, by a sign in front or a word behind.
bool has_currency(std::string_view text);

}  // namespace tofn
