#pragma once

#include <string>
#include <string_view>

#include "sim/core/quantity.hpp"

namespace tofn {

/// The finite number that is the whole of `text`, as std::from_chars reads it; false leaves `out`.
bool parse_number(std::string_view text, double& out);

/// The decimal whole number that is the whole of `text` (`010` is 10); false leaves `out`.
bool parse_integer(std::string_view text, long long& out);

/// Reads `number unit`, e.g. `400 Gb/s`, `3.5 us`, `80 GiB`; defined for the aliases of
/// quantity.hpp. Throws std::invalid_argument, whose text is the end of a sentence about the input.
template <class Q>
Q parse_quantity(std::string_view text);

/// `3.5 us`, `25 MB`, `50 GB/s`: scaled by powers of 1000 (times: also min, h, d).
/// With 17 digits, reading the text back gives the same amount exactly.
std::string to_text(Seconds amount, int significant_digits = 3);
std::string to_text(Bytes amount, int significant_digits = 3);
std::string to_text(Flops amount, int significant_digits = 3);
std::string to_text(BytesPerSecond amount, int significant_digits = 3);
std::string to_text(FlopsPerSecond amount, int significant_digits = 3);
std::string to_text(Joules amount, int significant_digits = 3);
std::string to_text(Watts amount, int significant_digits = 3);

extern template Seconds parse_quantity<Seconds>(std::string_view);
extern template Bytes parse_quantity<Bytes>(std::string_view);
extern template Flops parse_quantity<Flops>(std::string_view);
extern template BytesPerSecond parse_quantity<BytesPerSecond>(std::string_view);
extern template FlopsPerSecond parse_quantity<FlopsPerSecond>(std::string_view);
extern template Joules parse_quantity<Joules>(std::string_view);
extern template Watts parse_quantity<Watts>(std::string_view);

}  // namespace tofn
