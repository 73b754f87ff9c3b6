#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tofn::bench {

/// A type of the elements that collectives and GEMMs work on.
struct ElementType {
  std::string_view name;
  std::string_view alias;
  int bytes = 0;
  int exponent_bits = 0;  ///< 0: a whole number
  int mantissa_bits = 0;  ///< without the implied one

  /// Whole numbers from 0 to here, and their sums below it, are exact.
  std::uint32_t exact_up_to() const { return 1U << (mantissa_bits + 1); }
};

/// Every type; add one here and in the backends that know it.
std::span<const ElementType> element_types();

/// By name or alias. Throws InputError with the valid names, naming `option`.
const ElementType& element_type(std::string_view name, std::string_view option);

/// The bits of a small whole number (at most exact_up_to()) in the type, in the low bytes.
std::uint32_t encoded(const ElementType&, std::uint32_t value);

/// The number whose bits in the type these are; of floating-point types finite ones only.
double decoded(const ElementType&, std::uint32_t bits);

}  // namespace tofn::bench
