#include <array>

#include "sim/launch/launch_stack.hpp"

// Hugging Face accelerate with FSDP: its YAML, and of the Trainer's flags what a batch needs.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view accelerate_launch = "src/accelerate/commands/launch.py";
constexpr std::string_view trainer = "transformers: src/transformers/training_args.py";

constexpr std::array accelerate_keys{
    LaunchKey{"mixed_precision", LaunchKind::Text, "no", accelerate_launch},
    LaunchKey{"fsdp_config.fsdp_sharding_strategy", LaunchKind::Text, "FULL_SHARD",
              accelerate_launch},
    LaunchKey{"fsdp_config.fsdp_offload_params", LaunchKind::Truth, "false", accelerate_launch},
    LaunchKey{"fsdp_config.fsdp_activation_checkpointing", LaunchKind::Truth, "false",
              accelerate_launch},
    LaunchKey{"per_device_train_batch_size", LaunchKind::Whole, "0", trainer},
    LaunchKey{"gradient_accumulation_steps", LaunchKind::Whole, "1", trainer},
    LaunchKey{"max_steps", LaunchKind::Whole, "-1", trainer},
};

constexpr auto accelerate_passed_over =
    std::to_array<std::string_view>({"accelerate.",
                                     "compute_environment",
                                     "debug",
                                     "distributed_type",
                                     "downcast_bf16",
                                     "enable_cpu_affinity",
                                     "fsdp_config.fsdp_auto_wrap",
                                     "fsdp_config.fsdp_backward",
                                     "fsdp_config.fsdp_cpu_ram",
                                     "fsdp_config.fsdp_forward",
                                     "fsdp_config.fsdp_ignored",
                                     "fsdp_config.fsdp_state_dict",
                                     "fsdp_config.fsdp_sync",
                                     "fsdp_config.fsdp_transformer",
                                     "fsdp_config.fsdp_use_orig",
                                     "machine_rank",
                                     "main_",
                                     "num_machines",
                                     "num_processes",
                                     "rdzv_backend",
                                     "same_network",
                                     "tpu_",
                                     "use_cpu",
                                     "output_dir"});

/// FULL_SHARD and its kin by name, or by number as older files have them.
struct AccelerateSharding {
  Sharded sharded;
  bool is_in_node;
};
constexpr std::array<std::pair<std::string_view, AccelerateSharding>, 5> accelerate_strategies{
    {{"FULL_SHARD", {Sharded::Parameters, false}},
     {"SHARD_GRAD_OP", {Sharded::Gradients, false}},
     {"NO_SHARD", {Sharded::Nothing, false}},
     {"HYBRID_SHARD", {Sharded::Parameters, true}},
     {"1", {Sharded::Parameters, false}}}};
constexpr std::array<std::pair<std::string_view, Precision>, 4> accelerate_precisions{
    {{"no", Precision::Fp32},
     {"fp16", Precision::Fp16},
     {"bf16", Precision::Bf16},
     {"fp8", Precision::Fp8}}};

LaunchedTraining accelerate_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  if (!size.accelerators)
    values.fail("per_device_train_batch_size",
                "the file does not say on how many accelerators: -N");
  training.accelerators_per_node = size.accelerators_per_node;
  plan.data_parallel_size = *size.accelerators;
  if (!values.is_stated("per_device_train_batch_size"))
    values.fail("per_device_train_batch_size", "the file does not say it: it is the program's");
  plan.micro_batch = quotient_of(values, "per_device_train_batch_size",
                                 values.whole("per_device_train_batch_size"), 1);
  plan.gradient_accumulation = quotient_of(values, "gradient_accumulation_steps",
                                           values.whole("gradient_accumulation_steps"), 1);
  const auto sharding = values.choice<AccelerateSharding>("fsdp_config.fsdp_sharding_strategy",
                                                          accelerate_strategies);
  plan.sharded = sharding.sharded;
  plan.shards_in_domain = sharding.is_in_node;
  if (values.truth("fsdp_config.fsdp_offload_params"))
    values.fail("fsdp_config.fsdp_offload_params", "parameters on the host are not expressed");
  if (values.truth("fsdp_config.fsdp_activation_checkpointing")) plan.recompute = Recompute::Full;
  plan.precision = values.choice<Precision>("mixed_precision", accelerate_precisions);
  if (const long long steps = values.whole("max_steps"); steps > 0) training.steps = steps;
  return training;
}

}  // namespace

const LaunchStack accelerate_stack{
    .name = "accelerate",
    .stack = "unknown",
    .version = "huggingface/accelerate 16cb6eb8",
    .keys = accelerate_keys,
    .passed_over = accelerate_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_key(file, "fsdp_config.fsdp_") || has_key(file, "accelerate.");
        },
    .to_training = accelerate_training,
};

}  // namespace launch
}  // namespace tofn
