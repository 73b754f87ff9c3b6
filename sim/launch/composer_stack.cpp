#include <algorithm>
#include <array>

#include "sim/core/quantity_text.hpp"
#include "sim/launch/launch_stack.hpp"

// llm-foundry on Composer: the YAML of scripts/train/yamls. Its models are dimensions, and no
// names.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view foundry_config = "llmfoundry/utils/config_utils.py";
constexpr std::string_view composer_fsdp = "composer/core/state.py";

constexpr std::array composer_keys{
    LaunchKey{"max_seq_len", LaunchKind::Whole, "0", foundry_config},
    LaunchKey{"global_train_batch_size", LaunchKind::Whole, "0", foundry_config},
    LaunchKey{"device_train_microbatch_size", LaunchKind::Whole, "0", foundry_config},
    LaunchKey{"precision", LaunchKind::Text, "amp_bf16", foundry_config},
    LaunchKey{"max_duration", LaunchKind::Text, "", foundry_config},
    LaunchKey{"optimizer.name", LaunchKind::Text, "", foundry_config},
    LaunchKey{"fsdp_config.sharding_strategy", LaunchKind::Text, "FULL_SHARD", composer_fsdp},
    LaunchKey{"fsdp_config.activation_checkpointing", LaunchKind::Truth, "false", composer_fsdp},
    LaunchKey{"fsdp_config.activation_cpu_offload", LaunchKind::Truth, "false", composer_fsdp},
    LaunchKey{"fsdp_config.mixed_precision", LaunchKind::Text, "DEFAULT", composer_fsdp},
};

constexpr auto composer_passed_over =
    std::to_array<std::string_view>({"variables.",
                                     "run_name",
                                     "save_",
                                     "tokenizer.",
                                     "train_loader.",
                                     "eval_",
                                     "scheduler.",
                                     "optimizer.",
                                     "algorithms.",
                                     "seed",
                                     "device_eval",
                                     "dist_timeout",
                                     "expandable_",
                                     "progress_bar",
                                     "log_to",
                                     "console_log",
                                     "callbacks.",
                                     "loggers.",
                                     "load_",
                                     "model.init_device",
                                     "fsdp_config.state_dict",
                                     "fsdp_config.backward_prefetch",
                                     "fsdp_config.verbose",
                                     "fsdp_config.limit_all",
                                     "fsdp_config.activation_checkpointing_reentrant",
                                     "model.use_auth",
                                     "model.pretrained",
                                     "model.max_seq_len",
                                     "max_split",
                                     "python_log",
                                     "metadata",
                                     "icl_",
                                     "autoresume",
                                     "save"});

constexpr std::array<std::pair<std::string_view, Precision>, 4> composer_precisions{
    {{"amp_bf16", Precision::Bf16},
     {"amp_fp16", Precision::Fp16},
     {"amp_fp8", Precision::Fp8},
     {"fp32", Precision::Fp32}}};

struct ComposerSharding {
  Sharded sharded;
  bool is_in_node;
};
constexpr std::array<std::pair<std::string_view, ComposerSharding>, 4> composer_strategies{
    {{"FULL_SHARD", {Sharded::Parameters, false}},
     {"SHARD_GRAD_OP", {Sharded::Gradients, false}},
     {"HYBRID_SHARD", {Sharded::Parameters, true}},
     {"NO_SHARD", {Sharded::Nothing, false}}}};

constexpr std::array<std::pair<std::string_view, OptimizerKind>, 3> composer_optimizers{
    {{"decoupled_adamw", OptimizerKind::AdamW},
     {"adamw", OptimizerKind::AdamW},
     {"decoupled_lionw", OptimizerKind::Lion}}};

/// PURE and DEFAULT reduce gradients in 16 bits and in fp32 (composer/distributed/mosaic_fsdp.py).
constexpr std::array<std::pair<std::string_view, Precision>, 3> composer_reductions{
    {{"PURE", Precision::Bf16}, {"DEFAULT", Precision::Fp32}, {"FULL", Precision::Fp32}}};

LaunchedTraining composer_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  constexpr std::string_view batch_key = "global_train_batch_size";
  constexpr std::string_view micro_key = "device_train_microbatch_size";
  if (!size.accelerators)
    values.fail(batch_key, "the file does not say on how many accelerators: -N");
  training.accelerators_per_node = size.accelerators_per_node;
  plan.data_parallel_size = *size.accelerators;
  const int each = quotient_of(values, batch_key, values.whole(batch_key), plan.data_parallel_size);
  const long long micro = values.whole(micro_key);
  if (micro == 0) values.fail(micro_key, "state it");
  // Composer takes no more than a rank has.
  plan.micro_batch = static_cast<double>(std::min<long long>(micro, each));
  set_accumulation(values, micro_key,
                   quotient_of(values, micro_key, each, static_cast<long long>(plan.micro_batch)),
                   plan);
  const auto sharding =
      values.choice<ComposerSharding>("fsdp_config.sharding_strategy", composer_strategies);
  plan.sharded = sharding.sharded;
  plan.shards_in_domain = sharding.is_in_node;
  if (values.truth("fsdp_config.activation_checkpointing")) plan.recompute = Recompute::Full;
  if (values.truth("fsdp_config.activation_cpu_offload"))
    values.fail("fsdp_config.activation_cpu_offload", "activations on the host are not expressed");
  plan.precision = values.choice<Precision>("precision", composer_precisions);
  plan.gradient_precision =
      values.choice<Precision>("fsdp_config.mixed_precision", composer_reductions);
  plan.optimizer = values.choice<OptimizerKind>("optimizer.name", composer_optimizers);
  training.sequence_length = length_of(values, "max_seq_len");
  // `143100ba` is a count of batches; of tokens and epochs the data decides.
  const std::string duration = values.text("max_duration");
  long long steps = 0;
  if (duration.ends_with("ba") && parse_integer(duration.substr(0, duration.size() - 2), steps))
    training.steps = steps;
  return training;
}

}  // namespace

const LaunchStack composer_stack{
    .name = "llm-foundry",
    .stack = "composer",
    .version = "mosaicml/llm-foundry 8c8dd48f",
    .keys = composer_keys,
    .passed_over = composer_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_key(file, "device_train_microbatch_size") ||
                 has_key(file, "global_train_batch_size");
        },
    .to_training = composer_training,
};

}  // namespace launch
}  // namespace tofn
