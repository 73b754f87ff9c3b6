#include "sim/compute/profile.hpp"

namespace tofn {

PassPrecision pass_precision(Precision matmul, bool fp8_attention) {
  const bool is_narrow = matmul == Precision::Fp8 || matmul == Precision::Fp4;
  return {.matmul = matmul,
          .attention = is_narrow ? (fp8_attention ? Precision::Fp8 : Precision::Bf16) : matmul};
}

PassTime pass_time(const WorkTotals& work, const Accelerator& accelerator,
                   const ComputeProfile& profile, double samples, int model_parallel_size) {
  const double share = samples / model_parallel_size / profile.efficiency;
  const FlopsPerSecond matmul = accelerator.peak_at(profile.precision.matmul);
  const FlopsPerSecond attention = accelerator.peak_at(profile.precision.attention);
  const double operators = work.forward_operators + work.backward_operators;
  const double forward_share = operators > 0 ? work.forward_operators / operators : 0.5;
  return {.matmul_forward = share * work.matmul_forward / matmul,
          .matmul_backward = share * work.matmul_backward / matmul,
          .attention_forward = share * work.attention_forward / attention,
          .attention_backward = share * work.attention_backward / attention,
          .overhead_forward = forward_share * profile.overhead,
          .overhead_backward = (1 - forward_share) * profile.overhead};
}

}  // namespace tofn
