#include <algorithm>
#include <array>

#include "sim/launch/launch_names.hpp"
#include "sim/launch/launch_stack.hpp"

// Hugging Face accelerate: its YAML, the same keys as options of `accelerate launch`, and of the
// Trainer's flags what a plan needs.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view accelerate_launch = "src/accelerate/commands/launch.py";
constexpr std::string_view deepspeed_plugin = "src/accelerate/utils/dataclasses.py";
constexpr std::string_view trainer = "transformers: src/transformers/training_args.py";

constexpr std::array accelerate_keys{
    LaunchKey{"distributed_type", LaunchKind::Text, "MULTI_GPU", accelerate_launch},
    LaunchKey{"mixed_precision", LaunchKind::Text, "no", accelerate_launch},
    LaunchKey{"fsdp_config.fsdp_sharding_strategy", LaunchKind::Text, "FULL_SHARD",
              accelerate_launch},
    LaunchKey{"fsdp_config.fsdp_reshard_after_forward", LaunchKind::Text, "true",
              accelerate_launch},
    LaunchKey{"fsdp_config.fsdp_offload_params", LaunchKind::Truth, "false", accelerate_launch},
    LaunchKey{"fsdp_config.fsdp_activation_checkpointing", LaunchKind::Truth, "false",
              accelerate_launch},
    LaunchKey{"deepspeed_config.zero_stage", LaunchKind::Whole, "2", deepspeed_plugin},
    LaunchKey{"deepspeed_config.gradient_accumulation_steps", LaunchKind::Whole, "1",
              deepspeed_plugin},
    LaunchKey{"deepspeed_config.offload_optimizer_device", LaunchKind::Text, "none",
              deepspeed_plugin},
    LaunchKey{"deepspeed_config.offload_param_device", LaunchKind::Text, "none", deepspeed_plugin},
    LaunchKey{"deepspeed_config.deepspeed_config_file", LaunchKind::Text, "", deepspeed_plugin},
    LaunchKey{"bf16", LaunchKind::Truth, "false", trainer},
    LaunchKey{"fp16", LaunchKind::Truth, "false", trainer},
    LaunchKey{"per_device_train_batch_size", LaunchKind::Whole, "0", trainer},
    LaunchKey{"gradient_accumulation_steps", LaunchKind::Whole, "1", trainer},
    LaunchKey{"gradient_checkpointing", LaunchKind::Truth, "false", trainer},
    LaunchKey{"fsdp_config",
              LaunchKind::Text,
              "",
              trainer,
              {},
              IfUnknown::ReadWithout},  // a file, read beside it
    LaunchKey{"max_steps", LaunchKind::Whole, "-1", trainer, {}, IfUnknown::AskLength},
};

/// Options of `accelerate launch`, the Trainer's `--fsdp` and keys of the JSON that its
/// `--fsdp_config` names, as keys of the YAML.
constexpr auto accelerate_names = std::to_array<LaunchName>(
    {{"accelerate.multi_gpu", "distributed_type", "", "MULTI_GPU"},
     {"accelerate.use_fsdp", "distributed_type", "", "FSDP"},
     {"accelerate.use_deepspeed", "distributed_type", "", "DEEPSPEED"},
     {"accelerate.use_megatron_lm", "distributed_type", "", "MEGATRON_LM"},
     {"accelerate.mixed_precision", "mixed_precision"},
     {"accelerate.fsdp_sharding_strategy", "fsdp_config.fsdp_sharding_strategy"},
     {"accelerate.fsdp_reshard_after_forward", "fsdp_config.fsdp_reshard_after_forward"},
     {"accelerate.fsdp_offload_params", "fsdp_config.fsdp_offload_params"},
     {"accelerate.fsdp_activation_checkpointing", "fsdp_config.fsdp_activation_checkpointing"},
     {"accelerate.zero_stage", "deepspeed_config.zero_stage"},
     {"accelerate.gradient_accumulation_steps", "deepspeed_config.gradient_accumulation_steps"},
     {"accelerate.offload_optimizer_device", "deepspeed_config.offload_optimizer_device"},
     {"accelerate.offload_param_device", "deepspeed_config.offload_param_device"},
     {"accelerate.deepspeed_config_file", "deepspeed_config.deepspeed_config_file"},
     {"accelerate.parallelism_config_tp_size", "parallelism_config.parallelism_config_tp_size"},
     {"accelerate.parallelism_config_cp_size", "parallelism_config.parallelism_config_cp_size"},
     {"activation_checkpointing", "fsdp_config.fsdp_activation_checkpointing"},
     {"fsdp_activation_checkpointing", "fsdp_config.fsdp_activation_checkpointing"},
     {"fsdp", "distributed_type", "", "FSDP"},
     {"fsdp", "fsdp_config.fsdp_sharding_strategy"}});

/// The file under the YAML's keys; where it states no type, keys of FSDP's do.
LaunchFile accelerate_flags(const LaunchFile& file) {
  LaunchFile named = renamed(file, accelerate_names);
  const auto fsdp = std::find_if(
      named.settings.begin(), named.settings.end(),
      [](const LaunchSetting& setting) { return setting.key.starts_with("fsdp_config.fsdp_"); });
  if (fsdp != named.settings.end() && !has_key(named, "distributed_type"))
    named.settings.push_back({"distributed_type", "FSDP", fsdp->place});
  return named;
}

constexpr auto accelerate_passed_over =
    std::to_array<std::string_view>({"accelerate.",
                                     "compute_environment",
                                     "debug",
                                     "deepspeed_config.deepspeed_hostfile",
                                     "deepspeed_config.deepspeed_multinode",
                                     "deepspeed_config.gradient_clipping",
                                     "deepspeed_config.zero3_",
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
                                     "fsdp_config.fsdp_version",
                                     "transformer_layer_cls_to_wrap",
                                     "backward_prefetch",
                                     "forward_prefetch",
                                     "limit_all_gathers",
                                     "use_orig_params",
                                     "sync_module_states",
                                     "cpu_ram_efficient_loading",
                                     "gpu_ids",
                                     "learning_rate",
                                     "lr_scheduler",
                                     "warmup_",
                                     "weight_decay",
                                     "adam_",
                                     "max_grad_norm",
                                     "logging_",
                                     "save_",
                                     "eval_",
                                     "per_device_eval",
                                     "report_to",
                                     "run_name",
                                     "seed",
                                     "do_",
                                     "dataloader_",
                                     "ddp_",
                                     "overwrite_output_dir",
                                     "machine_rank",
                                     "main_",
                                     "num_machines",
                                     "num_processes",
                                     "rdzv_backend",
                                     "same_network",
                                     "tpu_",
                                     "use_cpu",
                                     "output_dir"});

enum class AccelerateType { Replicas, Fsdp, DeepSpeed };
constexpr std::array<std::pair<std::string_view, AccelerateType>, 4> accelerate_types{
    {{"NO", AccelerateType::Replicas},
     {"MULTI_GPU", AccelerateType::Replicas},
     {"FSDP", AccelerateType::Fsdp},
     {"DEEPSPEED", AccelerateType::DeepSpeed}}};

struct AccelerateSharding {
  Sharded sharded;
  bool is_in_node;
};
using AccelerateShardingName = std::pair<std::string_view, AccelerateSharding>;
/// By name, by number as older files have them, and as words of the Trainer's `--fsdp`.
constexpr auto accelerate_strategies = std::to_array<AccelerateShardingName>(
    {{"FULL_SHARD", {Sharded::Parameters, false}},
     {"SHARD_GRAD_OP", {Sharded::Gradients, false}},
     {"NO_SHARD", {Sharded::Nothing, false}},
     {"HYBRID_SHARD", {Sharded::Parameters, true}},
     {"1", {Sharded::Parameters, false}},
     {"2", {Sharded::Gradients, false}},
     {"3", {Sharded::Nothing, false}},
     {"4", {Sharded::Parameters, true}},
     {"full_shard", {Sharded::Parameters, false}},
     {"full_shard auto_wrap", {Sharded::Parameters, false}},
     {"shard_grad_op", {Sharded::Gradients, false}},
     {"shard_grad_op auto_wrap", {Sharded::Gradients, false}},
     {"hybrid_shard", {Sharded::Parameters, true}},
     {"hybrid_shard auto_wrap", {Sharded::Parameters, true}}});
constexpr std::array<std::pair<std::string_view, Precision>, 4> accelerate_precisions{
    {{"no", Precision::Fp32},
     {"fp16", Precision::Fp16},
     {"bf16", Precision::Bf16},
     {"fp8", Precision::Fp8}}};

void read_accelerate_fsdp(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view strategy = "fsdp_config.fsdp_sharding_strategy";
  constexpr std::string_view reshard = "fsdp_config.fsdp_reshard_after_forward";
  const auto sharding = values.choice<AccelerateSharding>(strategy, accelerate_strategies);
  plan.sharded = sharding.sharded;
  plan.shards_in_domain = sharding.is_in_node;
  // Version 2 has it in the strategy's place.
  constexpr std::array<std::pair<std::string_view, Sharded>, 2> reshards{
      {{"true", Sharded::Parameters}, {"false", Sharded::Gradients}}};
  if (values.is_stated(reshard) && !values.is_stated(strategy))
    plan.sharded = values.choice<Sharded>(reshard, reshards);
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
  const auto type = values.choice<AccelerateType>("distributed_type", accelerate_types);
  constexpr std::string_view repeats = "gradient_accumulation_steps";
  set_accumulation(values, repeats,
                   type == AccelerateType::DeepSpeed
                       ? agreed(values, "deepspeed_config.gradient_accumulation_steps", repeats)
                       : values.whole(repeats),
                   plan);
  plan.sharded = Sharded::Nothing;
  if (type == AccelerateType::Fsdp) read_accelerate_fsdp(values, plan);
  if (type == AccelerateType::DeepSpeed) read_accelerate_deepspeed(values, plan);
  // training_args.py: the Trainer's flags go above what launches it.
  plan.precision = values.truth("fp16") ? Precision::Fp16
                   : values.truth("bf16")
                       ? Precision::Bf16
                       : values.choice<Precision>("mixed_precision", accelerate_precisions);
  if (values.truth("gradient_checkpointing")) plan.recompute = Recompute::Full;
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
          // DeepSpeed's own JSON says more than accelerate's keys.
          return !has_key(file, "zero_optimization.") &&
                 (has_key(file, "fsdp_config.fsdp_") || has_key(file, "accelerate.") ||
                  has_key(file, "distributed_type") ||
                  (has_key(file, "per_device_train_batch_size") && !has_key(file, "deepspeed")));
        },
    .to_training = accelerate_training,
    .as_flags = accelerate_flags,
};

}  // namespace launch
}  // namespace tofn
