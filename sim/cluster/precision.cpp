#include "sim/cluster/precision.hpp"

#include <cstddef>

namespace tofn {
inline namespace cluster {

std::string_view to_text(Precision precision) {
  return precision_names[static_cast<std::size_t>(precision)].first;
}

PassPrecision pass_precision(Precision matmul, bool fp8_attention) {
  const bool is_narrow = matmul == Precision::Fp8 || matmul == Precision::Fp4;
  return {.matmul = matmul,
          .attention = is_narrow ? (fp8_attention ? Precision::Fp8 : Precision::Bf16) : matmul};
}

}  // namespace cluster
}  // namespace tofn
