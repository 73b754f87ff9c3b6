#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tofn {

/// A number as people write large ones: `2T` or `2 T`, `200B` or `200G`, `4M`, `512k`, `1.4e12`;
/// suffixes are powers of 1000. Absent: it is none, or not finite.
std::optional<double> parse_count(std::string_view text);

/// `2T`, `70B`, `4.194304M`: the shortest of these that reads back as the same number.
std::string count_text(double count);
/// The same with at most so many significant digits.
std::string count_text(double count, int significant_digits);

}  // namespace tofn
