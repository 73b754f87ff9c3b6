#pragma once

#include <optional>
#include <string_view>

namespace tofn {

/// US dollars above 0 as people write them: `500k`, `$500k`, `1.5M USD`, `2 M USD`. Absent: the
/// text is none.
std::optional<double> parse_dollars(std::string_view text);

/// The same with the currency said, by the sign or by the word.
bool has_currency(std::string_view text);

}  // namespace tofn
