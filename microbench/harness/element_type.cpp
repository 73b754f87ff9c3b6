#include "microbench/harness/element_type.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn::bench {
namespace {

// Bits are those of IEEE 754 for fp32 and fp16; bf16 is a truncated fp32; the two 8-bit types are
// from Micikevicius et al., "FP8 formats for deep learning", 2022.
constexpr std::array types{
    ElementType{"fp32", "float", 4, 8, 23},   ElementType{"fp16", "half", 2, 5, 10},
    ElementType{"bf16", "bfloat16", 2, 8, 7}, ElementType{"fp8_e4m3", "fp8", 1, 4, 3},
    ElementType{"fp8_e5m2", "bf8", 1, 5, 2},  ElementType{"int32", "int", 4, 0, 30},
};

}  // namespace

std::span<const ElementType> element_types() { return types; }

const ElementType& element_type(std::string_view name, std::string_view option) {
  std::vector<std::string> valid;
  for (const ElementType& type : types) {
    if (type.name == name || type.alias == name) return type;
    valid.emplace_back(type.name);
  }
  throw InputError({}, option, unknown_name("type", name, valid));
}

std::uint32_t encoded(const ElementType& type, std::uint32_t value) {
  if (type.exponent_bits == 0 || value == 0) return value;
  const auto exponent = static_cast<int>(std::bit_width(value)) - 1;
  const std::uint32_t fraction = value - (1U << exponent);
  const std::uint32_t bias = (1U << (type.exponent_bits - 1)) - 1;
  const std::uint32_t mantissa = exponent <= type.mantissa_bits
                                     ? fraction << (type.mantissa_bits - exponent)
                                     : fraction >> (exponent - type.mantissa_bits);
  return ((static_cast<std::uint32_t>(exponent) + bias) << type.mantissa_bits) | mantissa;
}

double decoded(const ElementType& type, std::uint32_t bits) {
  if (type.exponent_bits == 0) return std::bit_cast<std::int32_t>(bits);
  const std::uint32_t fraction = bits & ((1U << type.mantissa_bits) - 1);
  const std::uint32_t exponent = bits >> type.mantissa_bits & ((1U << type.exponent_bits) - 1);
  const bool is_negative = (bits >> (type.mantissa_bits + type.exponent_bits) & 1U) != 0;
  const bool is_subnormal = exponent == 0;
  const double significand = is_subnormal ? fraction : fraction + (1U << type.mantissa_bits);
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const int power = (is_subnormal ? 1 : static_cast<int>(exponent)) - bias - type.mantissa_bits;
  return std::ldexp(is_negative ? -significand : significand, power);
}

}  // namespace tofn::bench
