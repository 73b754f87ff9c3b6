#include "sim/kernel/compute_profile.hpp"

namespace tofn {

PassPrecision pass_precision(Precision matmul, bool fp8_attention) {
  const bool is_narrow = matmul == Precision::Fp8 || matmul == Precision::Fp4;
  return {.matmul = matmul,
          .attention = is_narrow ? (fp8_attention ? Precision::Fp8 : Precision::Bf16) : matmul};
}

Seconds ideal_time(Flops matmul, Flops attention, const Accelerator& accelerator,
                   PassPrecision precision) {
  return matmul / accelerator.peak_at(precision.matmul) +
         attention / accelerator.peak_at(precision.attention);
}

Seconds ideal_time(const WorkTotals& work, const Accelerator& accelerator,
                   PassPrecision precision) {
  return ideal_time(work.matmul_forward + work.matmul_backward,
                    work.attention_forward + work.attention_backward, accelerator, precision);
}

}  // namespace tofn
