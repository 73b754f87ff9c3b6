#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace cluster {

/// Number formats of matrix arithmetic, widest first.
enum class Precision { Fp32, Tf32, Bf16, Fp16, Fp8, Fp4 };

inline constexpr std::array<std::pair<std::string_view, Precision>, 6> precision_names{{
    {"fp32", Precision::Fp32},
    {"tf32", Precision::Tf32},
    {"bf16", Precision::Bf16},
    {"fp16", Precision::Fp16},
    {"fp8", Precision::Fp8},
    {"fp4", Precision::Fp4},
}};
std::string_view to_text(Precision);
constexpr const auto& names_of(Precision) { return precision_names; }

/// Bytes of a number in memory and in messages.
constexpr double width_of(Precision precision) {
  if (precision <= Precision::Tf32) return 4;
  if (precision <= Precision::Fp16) return 2;
  return precision == Precision::Fp8 ? 1 : 0.5;
}

/// Kinds of product. Attention may run in another precision (FP8 attention is a separate switch).
enum class Arithmetic { Matmul, Attention };
inline constexpr std::array<std::pair<std::string_view, Arithmetic>, 2> arithmetic_names{
    {{"matmul", Arithmetic::Matmul}, {"attention", Arithmetic::Attention}}};
constexpr const auto& names_of(Arithmetic) { return arithmetic_names; }

/// Precisions of the products of a pass.
struct PassPrecision {
  Precision matmul = Precision::Bf16;
  Precision attention = Precision::Bf16;
};

/// Attention stays in 16 bits in FP8 training unless it is switched to FP8 as well.
PassPrecision pass_precision(Precision matmul, bool fp8_attention);

}  // namespace cluster
}  // namespace tofn
