#include <algorithm>
#include <string>

#include "sim/formats/launchers/launch_stack.hpp"

// Hugging Face accelerate: its YAML, options of `accelerate launch` with the same keys, and those
// of the Trainer's flags that a plan needs.

namespace tofn {
inline namespace formats {
namespace {

/// Renames the file's keys to those of the YAML. If keys of FSDP stand without a type, the type is
/// FSDP.
LaunchFile accelerate_flags(const LaunchFile& file, const Launcher& accelerate) {
  LaunchFile named = renamed(file, accelerate.renames);
  const auto fsdp = std::ranges::find_if(named.settings, [](const LaunchSetting& setting) {
    return setting.key.starts_with("fsdp_config.fsdp_");
  });
  if (fsdp != named.settings.end() && !has_key(named, "distributed_type"))
    named.settings.push_back({"distributed_type", "FSDP", fsdp->place});
  return named;
}

void read_accelerate_fsdp(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view strategy = "fsdp_config.fsdp_sharding_strategy";
  constexpr std::string_view reshard = "fsdp_config.fsdp_reshard_after_forward";
  values.choose(strategy, plan);
  // Version 2 of FSDP states it by this key instead of the strategy.
  if (values.is_stated(reshard) && !values.is_stated(strategy)) values.choose(reshard, plan);
  if (values.truth("fsdp_config.fsdp_offload_params"))
    values.fail("fsdp_config.fsdp_offload_params", "parameters on the host are not expressed");
  if (values.truth("fsdp_config.fsdp_activation_checkpointing")) plan.recompute = Recompute::Full;
}

void read_accelerate_deepspeed(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view file = "deepspeed_config.deepspeed_config_file";
  if (values.is_stated(file))
    values.fail(file, "no file of that name here states zero_optimization: give it");
  set_zero_stage(values, "deepspeed_config.zero_stage", values.whole("deepspeed_config.zero_stage"),
                 plan);
  plan.offloads_optimizer = values.text("deepspeed_config.offload_optimizer_device") != "none";
  if (values.text("deepspeed_config.offload_param_device") != "none")
    values.fail("deepspeed_config.offload_param_device",
                "parameters on the host are not expressed");
}

LaunchedTraining accelerate_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training = training_on(values, size, "per_device_train_batch_size");
  Plan& plan = training.plan;
  constexpr std::string_view micro_key = "per_device_train_batch_size";
  if (!values.is_stated(micro_key) && !size.micro_batch)
    values.fail(micro_key,
                "the file does not say it, because the program does: state --micro-batch");
  const long long micro = size.micro_batch ? *size.micro_batch : values.whole(micro_key);
  plan.micro_batch = quotient_of(values, micro_key, micro, 1);
  const std::string& type = values.choice("distributed_type").word;
  constexpr std::string_view repeats = "gradient_accumulation_steps";
  long long accumulation = size.accumulation_beside_batch().value_or(
      type == "DEEPSPEED" ? agreed(values, "deepspeed_config.gradient_accumulation_steps", repeats)
                          : values.whole(repeats));
  if (accumulation == 0)
    accumulation =
        size.batch ? quotient_of(values, micro_key, *size.batch,
                                 product_of(values, micro_key, {micro, plan.data_parallel_size}))
                   : values.whole(repeats);
  set_accumulation(values, repeats, accumulation, plan);
  plan.sharded = Sharded::Nothing;
  if (type == "FSDP") read_accelerate_fsdp(values, plan);
  if (type == "DEEPSPEED") read_accelerate_deepspeed(values, plan);
  // training_args.py: the Trainer's flags override those of the launcher.
  if (values.truth("fp16"))
    plan.precision = Precision::Fp16;
  else if (values.truth("bf16"))
    plan.precision = Precision::Bf16;
  else
    values.choose("mixed_precision", plan);
  if (values.truth("gradient_checkpointing")) plan.recompute = Recompute::Full;
  if (const long long steps = values.whole("max_steps"); steps > 0) training.steps = steps;
  return training;
}

}  // namespace

const LaunchCode accelerate_code{
    .launcher = "accelerate",
    .to_training = accelerate_training,
    .as_flags = accelerate_flags,
};

}  // namespace formats
}  // namespace tofn
