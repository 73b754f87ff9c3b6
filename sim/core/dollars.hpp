#pragma once

#include <optional>
#include <string_view>

namespace tofn {

/// US dollars above 0 as people write them: `500k`, `$500k`, `1.5M USD`, `2 M USD`. Absent: the
/// text is none.
std::optional<double> parse_dollars(std::string_view text);

/// Whether the currency is said, by the sign before it or the word behind it.
bool has_currency(std::string_view text);

}  // namespace tofn
