#pragma once

#include <string>
#include <string_view>

#include "sim/core/quantity.hpp"

namespace tofn {

/// Reads the finite number that is all of `text`, like std::from_chars. On false, `out` is
/// unchanged.
bool parse_number(std::string_view text, double& out);

/// Reads the decimal whole number that is all of `text` (`010` is 10). On false, `out` is
/// unchanged.
bool parse_integer(std::string_view text, long long& out);

/// Reads `number unit`, e.g. `400 Gb/s`, `3.5 us`, `80 GiB`; defined for the aliases of
/// quantity.hpp. Throws std::invalid_argument, whose text can end a sentence about the input.
template <class Q>
Q parse_quantity(std::string_view text);

/// Text of an amount (`3.5 us`, `25 MB`, `50 GB/s`) in a unit of powers of 1000, for times also
/// min, h and d. Text with 17 digits reads back as exactly the same amount.
std::string to_text(Seconds amount, int significant_digits = 3);
std::string to_text(Bytes amount, int significant_digits = 3);
std::string to_text(Flops amount, int significant_digits = 3);
std::string to_text(BytesPerSecond amount, int significant_digits = 3);
std::string to_text(FlopsPerSecond amount, int significant_digits = 3);
std::string to_text(Joules amount, int significant_digits = 3);
std::string to_text(Watts amount, int significant_digits = 3);

}  // namespace tofn
