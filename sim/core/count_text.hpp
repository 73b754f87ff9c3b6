#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofn {

/// Reads a number as people write large ones: `2T` or `2 T`, `200B` or `200G`, `4M`, `512k`,
/// `1.4e12`. Suffixes are powers of 1000. Absent if it is no number or not finite.
std::optional<double> parse_count(std::string_view text);

/// Reads tokens of a text: `8192`, `8k` (8 x 1024) or `1M` (1024 x 1024). InputError if it is none.
int length_in_tokens(const std::string& text);

/// Shortest text that reads back as the same number: `2T`, `70B`, `4.194304M`.
std::string count_text(double count);
/// Text with at most this many significant digits.
std::string count_text(double count, int significant_digits);

/// Text of a number of samples or batches: all of its digits if it is whole and has at most five,
/// otherwise four significant ones.
std::string short_count_text(double count);

}  // namespace tofn
