#include "sim/memory/state_bytes.hpp"

namespace tofn {
inline namespace memory {

double optimizer_bytes(const StateBytes& bytes, OptimizerKind kind, bool are_matrices) {
  const OptimizerKind acting =
      traits_of(kind).newton_schulz > 0 && !are_matrices ? OptimizerKind::AdamW : kind;
  return bytes.optimizer + traits_of(acting).state_bytes -
         traits_of(OptimizerKind::AdamW).state_bytes;
}

const StateBytes& default_state(Precision precision) {
  switch (precision) {
    case Precision::Fp32:
    case Precision::Tf32:
      return single_state;
    case Precision::Fp8:
      return eight_bit_state;
    case Precision::Fp4:
      return four_bit_state;
    case Precision::Bf16:
    case Precision::Fp16:
      break;
  }
  return half_state;
}

}  // namespace memory
}  // namespace tofn
