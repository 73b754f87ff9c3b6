#include "sim/formats/launchers/launch_stack.hpp"

// fms-fsdp: `--key=value` over the dataclass of fms_fsdp/config/training.py.

namespace tofn {
inline namespace formats {
namespace {

LaunchedTraining fms_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training = training_on(values, size, "sharding_strategy");
  Plan& plan = training.plan;
  plan.micro_batch = quotient_of(values, "batch_size", values.whole("batch_size"), 1);
  values.choose("sharding_strategy", plan);
  if (values.truth("fsdp_activation_checkpointing")) {
    if (values.number("selective_checkpointing") != 1)
      values.fail("selective_checkpointing", "recomputation of some layers is not expressed");
    plan.recompute = Recompute::Full;
  }
  plan.precision = values.truth("mixed_precision") ? Precision::Bf16 : Precision::Fp32;
  training.model = values.model();
  training.sequence_length = length_of(values, "seq_length");
  training.steps = values.whole("num_steps");
  return training;
}

}  // namespace

const LaunchCode fms_code{.launcher = "fms-fsdp", .to_training = fms_training};

}  // namespace formats
}  // namespace tofn
