#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tofn::bench {

/// Element type of collectives and GEMMs.
struct ElementType {
  std::string_view name;
  std::string_view alias;
  int bytes = 0;
  int exponent_bits = 0;  ///< 0 for an integer type
  int mantissa_bits = 0;  ///< without the implied one

  /// Limit up to which whole numbers and their sums are exact.
  std::uint32_t exact_up_to() const { return 1U << (mantissa_bits + 1); }
};

/// Every type. To add one, add a row here and in the backends that support it.
std::span<const ElementType> element_types();

/// Finds a type by name or alias. Throws InputError with `option` and the valid names.
const ElementType& element_type(std::string_view name, std::string_view option);

/// Bits of a small whole number (at most exact_up_to()) in the type, in the low bytes.
std::uint32_t encoded(const ElementType&, std::uint32_t value);

/// The number with these bits in the type; a floating-point number must be finite.
double decoded(const ElementType&, std::uint32_t bits);

}  // namespace tofn::bench
