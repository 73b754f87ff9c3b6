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

namespace {

/// True if fp32 parameters serve as the master copy, because no 16-bit copy of all exists beside
/// them: FSDP 2 shards them, and plain replicas cast them for each product.
bool are_master(const Plan& plan) {
  return plan.kept_parameters == KeptFormat::Fp32 && plan.sharded != Sharded::Optimizer &&
         plan.sharded != Sharded::Gradients;
}

/// Bytes of a parameter. 8-bit products read two copies, by rows and by columns (Transformer
/// Engine, Float8Tensor with its transpose).
double parameter_bytes(const StateBytes& typical, Precision precision, const Plan& plan) {
  const bool are_narrow = precision == Precision::Fp8 || precision == Precision::Fp4;
  if (plan.kept_parameters == KeptFormat::Fp32) return are_master(plan) ? 4 : typical.gathered;
  if (plan.kept_parameters == KeptFormat::Fp8 && are_narrow) return 2 * bytes_of(KeptFormat::Fp8);
  return typical.parameters;
}

}  // namespace

StateBytes state_of(Precision precision, const Plan& plan) {
  StateBytes bytes = default_state(precision);
  const bool has_master = bytes.gathered < 4 && !are_master(plan);
  bytes.parameters = parameter_bytes(bytes, precision, plan);
  if (plan.kept_gradients) bytes.gradients = bytes_of(*plan.kept_gradients);
  bytes.optimizer = 2 * bytes_of(plan.kept_moments.value_or(KeptFormat::Fp32));
  if (has_master) bytes.optimizer += bytes_of(plan.kept_master.value_or(KeptFormat::Fp32));
  // FSDP 2 accumulates whole gradients and keeps the reduced shards beside them
  // (`unsharded_accumulated_grad` of torch/distributed/fsdp/_fully_shard/_fsdp_param.py).
  if (plan.kept_parameters == KeptFormat::Fp32 && plan.sharded == Sharded::Optimizer)
    bytes.optimizer += bytes.gradients;
  return bytes;
}

double checkpoint_bytes(const StateBytes& bytes, const Plan& plan) {
  const bool has_gradients_beside =
      plan.kept_parameters == KeptFormat::Fp32 && plan.sharded == Sharded::Optimizer;
  return (are_master(plan) ? 4 : bytes.gathered) + optimizer_bytes(bytes, plan.optimizer, true) -
         (has_gradients_beside ? bytes.gradients : 0);
}

}  // namespace memory
}  // namespace tofn
