#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofn {

/// Valid name closest to `wrong` by Damerau-Levenshtein distance; case does not matter. Absent if
/// the distance is above max(1, a third of the length of `wrong`).
std::optional<std::string> nearest_name(std::string_view wrong, std::span<const std::string> valid);

/// Text `a, b, c`.
std::string choices(std::span<const std::string> valid);

/// Text `a, b or c` for last = "or".
std::string list_text(std::span<const std::string> items, std::string_view last);

/// Text `unknown key 'eficiency', did you mean 'efficiency'? valid keys: a, b, c` for what = "key".
std::string unknown_name(std::string_view what, std::string_view wrong,
                         std::span<const std::string> valid);

/// Text of `unknown_name` for names that `tofn list` prints: those of `what`, or those of `lists`
/// if it is given. For more than a dozen names it has only the three nearest: `unknown model
/// 'qwen3-33b', did you mean 'qwen3-32b', 'qwen3-30b-a3b' or 'qwen3-4b'? All 108: `tofn list
/// models``.
std::string unknown_listed_name(std::string_view what, std::string_view wrong,
                                std::span<const std::string> valid, std::string_view lists = {});

/// Returns `text`, or its first 60 characters and an ellipsis, to quote input in an error.
std::string shortened(std::string_view text);

}  // namespace tofn
