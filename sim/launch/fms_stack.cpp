#include <array>

#include "sim/launch/launch_stack.hpp"

// fms-fsdp: `--key=value` over the dataclass of fms_fsdp/config/training.py.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view fms_config = "fms_fsdp/config/training.py";

constexpr std::array fms_keys{
    LaunchKey{"model_variant", LaunchKind::Text, "7b", fms_config},
    LaunchKey{"seq_length", LaunchKind::Whole, "4096", fms_config},
    LaunchKey{"batch_size", LaunchKind::Whole, "2", fms_config},
    LaunchKey{"num_steps", LaunchKind::Whole, "1000000", fms_config, {}, IfUnknown::AskLength},
    LaunchKey{"sharding_strategy", LaunchKind::Text, "hsdp", fms_config},
    LaunchKey{"fsdp_activation_checkpointing", LaunchKind::Truth, "false", fms_config},
    LaunchKey{"selective_checkpointing", LaunchKind::Number, "1", fms_config},
    LaunchKey{"mixed_precision", LaunchKind::Truth, "true", fms_config},
};

constexpr auto fms_passed_over = std::to_array<std::string_view>(
    {"use_dummy",    "ckpt_",    "data_path",   "file_type",    "col_name",       "tokenizer_path",
     "datasets",     "weights",  "bos_token",   "eos_token",    "bol_token",      "eol_token",
     "strip_tokens", "logical_", "num_workers", "low_cpu_fsdp", "training_stage", "learning_rate",
     "grad_clip",    "seed",     "resuming_",   "use_profiler", "profiler_",      "report_interval",
     "checkpoint_",  "tracker",  "vocab_size",  "model_arch",   "model_path",     "n_speculator",
     "speculator_",  "stage2_",  "tp_size",     "call"});

/// Variants of fms_fsdp/utils/config_utils.py that configs/models has.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> fms_models{
    {{"llama2_13b", "llama2-13b"}, {"llama2_70b", "llama2-70b"}, {"llama3_8b", "llama3-8b"}}};

enum class FmsSharding { Full, Hybrid, None };
constexpr std::array<std::pair<std::string_view, FmsSharding>, 3> fms_strategies{
    {{"fsdp", FmsSharding::Full}, {"hsdp", FmsSharding::Hybrid}, {"ddp", FmsSharding::None}}};

LaunchedTraining fms_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  if (!size.accelerators)
    values.fail("sharding_strategy", "the file does not say on how many accelerators: -N");
  training.accelerators_per_node = size.accelerators_per_node;
  plan.data_parallel_size = *size.accelerators;
  plan.micro_batch = quotient_of(values, "batch_size", values.whole("batch_size"), 1);
  // fms_fsdp/utils/train_utils.py: hsdp shards within a node.
  const auto strategy = values.choice<FmsSharding>("sharding_strategy", fms_strategies);
  plan.sharded = strategy == FmsSharding::None ? Sharded::Nothing : Sharded::Parameters;
  plan.shards_in_domain = strategy == FmsSharding::Hybrid;
  if (values.truth("fsdp_activation_checkpointing")) {
    if (values.number("selective_checkpointing") != 1)
      values.fail("selective_checkpointing", "recomputation of some layers is not expressed");
    plan.recompute = Recompute::Full;
  }
  plan.precision = values.truth("mixed_precision") ? Precision::Bf16 : Precision::Fp32;
  for (const auto& [variant, model] : fms_models)
    if (variant == values.text("model_variant")) training.model = model;
  training.sequence_length = length_of(values, "seq_length");
  training.steps = values.whole("num_steps");
  return training;
}

}  // namespace

const LaunchStack fms_stack{
    .name = "fms-fsdp",
    .stack = "torchtitan",
    .version = "foundation-model-stack/fms-fsdp 5a296afe",
    .keys = fms_keys,
    .passed_over = fms_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_key(file, "sharding_strategy") && has_key(file, "batch_size");
        },
    .to_training = fms_training,
};

}  // namespace launch
}  // namespace tofn
