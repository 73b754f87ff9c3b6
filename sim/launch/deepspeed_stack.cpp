#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>

#include "sim/launch/launch_names.hpp"
#include "sim/launch/launch_stack.hpp"
#include "sim/launch/launch_writer.hpp"
#include "sim/launch/megatron_keys.hpp"
#include "sim/launch/megatron_model.hpp"

// DeepSpeed's JSON, and the flags of Megatron-DeepSpeed, which say what the JSON has no key for;
// and those of Hugging Face's Trainer, which fill in what its JSON leaves open.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view zero_config = "deepspeed/runtime/zero/config.py";
constexpr std::string_view constants = "deepspeed/runtime/constants.py";
constexpr std::string_view numbers = "deepspeed/runtime/precision_config.py";
constexpr std::string_view arguments = "Megatron-DeepSpeed: megatron/arguments.py";
constexpr std::string_view trainer_arguments = "transformers: src/transformers/training_args.py";
constexpr LaunchKind integer = LaunchKind::Whole;
constexpr LaunchKind flag = LaunchKind::Truth;
constexpr LaunchKind choice = LaunchKind::Text;

constexpr std::array own_keys{
    LaunchKey{"train_batch_size", integer, "0", constants},
    LaunchKey{"train_micro_batch_size_per_gpu", integer, "0", constants},
    LaunchKey{"gradient_accumulation_steps", integer, "0", constants},
    LaunchKey{"optimizer.type", choice, "", constants},
    LaunchKey{"communication_data_type", choice, "", constants},
    LaunchKey{"data_types.grad_accum_dtype", choice, "", constants},
    LaunchKey{"zero_optimization.stage", integer, "0", zero_config},
    LaunchKey{"zero_optimization.overlap_comm", flag, "false", zero_config},
    LaunchKey{"zero_optimization.offload_param.device", choice, "none", zero_config},
    LaunchKey{"zero_optimization.offload_optimizer.device", choice, "none", zero_config},
    LaunchKey{"zero_optimization.zero_hpz_partition_size", integer, "1", zero_config},
    LaunchKey{"zero_optimization.mics_shard_size", integer, "-1", zero_config},
    LaunchKey{"bf16.enabled", flag, "false", numbers},
    LaunchKey{"fp16.enabled", flag, "false", numbers},
    LaunchKey{"tensor-model-parallel-size", integer, "1", arguments, &Plan::tensor_parallel_size},
    LaunchKey{"pipeline-model-parallel-size", integer, "1", arguments,
              &Plan::pipeline_parallel_size},
    LaunchKey{"num-layers-per-virtual-pipeline-stage", choice, "", arguments},
    LaunchKey{"ds-sequence-parallel-size", integer, "1", arguments},
    LaunchKey{"moe-expert-parallel-size", integer, "1", arguments, &Plan::expert_parallel_size},
    LaunchKey{"micro-batch-size", integer, "0", arguments},
    LaunchKey{"global-batch-size", integer, "0", arguments},
    LaunchKey{"seq-length", integer, "0", arguments},
    LaunchKey{"train-iters", integer, "0", arguments, {}, IfUnknown::AskLength},
    LaunchKey{"zero-stage", integer, "1", arguments},
    LaunchKey{"bf16", flag, "false", arguments},
    LaunchKey{"fp16", flag, "false", arguments},
    LaunchKey{"sequence-parallel", flag, "false", arguments, &Plan::sequence_parallel},
    LaunchKey{"recompute-granularity", choice, "none", arguments},
    LaunchKey{"checkpoint-activations", flag, "false", arguments},
    LaunchKey{"per_device_train_batch_size", integer, "0", trainer_arguments},
    LaunchKey{"gradient_checkpointing", flag, "false", trainer_arguments},
};

/// Flags of a model's layers, which Megatron-LM has too.
constexpr auto layer_flags = std::to_array<std::string_view>({"num-layers",
                                                              "hidden-size",
                                                              "ffn-hidden-size",
                                                              "num-attention-heads",
                                                              "kv-channels",
                                                              "group-query-attention",
                                                              "num-query-groups",
                                                              "swiglu",
                                                              "disable-bias-linear",
                                                              "add-qkv-bias",
                                                              "qk-layernorm",
                                                              "normalization",
                                                              "position-embedding-type",
                                                              "max-position-embeddings",
                                                              "vocab-size",
                                                              "padded-vocab-size",
                                                              "tokenizer-type",
                                                              "tokenizer-model",
                                                              "make-vocab-size-divisible-by",
                                                              "untie-embeddings-and-output-weights",
                                                              "num-experts",
                                                              "hybrid-layer-pattern",
                                                              "hybrid-override-pattern",
                                                              "mtp-num-layers",
                                                              "multi-latent-attention",
                                                              "program"});
constexpr auto deepspeed_keys = [] {
  std::array<LaunchKey, own_keys.size() + layer_flags.size()> all;
  auto* end = std::copy(own_keys.begin(), own_keys.end(), all.begin());
  for (const LaunchKey& each : megatron_keys)
    if (std::find(layer_flags.begin(), layer_flags.end(), each.key) != layer_flags.end())
      *end++ = each;
  return all;
}();

/// What Megatron-DeepSpeed calls them.
constexpr auto deepspeed_names = std::to_array<LaunchName>(
    {{"use-rotary-position-embeddings", "position-embedding-type", "", "rope"},
     {"num-key-value-heads", "num-query-groups"},
     {"num-key-value-heads", "group-query-attention", "", "true"},
     {"normalization", "normalization", "rmsnorm", "RMSNorm"},
     {"normalization", "normalization", "layernorm", "LayerNorm"},
     {"normalization", "normalization", "RMSNorm"},
     {"normalization", "normalization", "LayerNorm"}});

constexpr auto deepspeed_passed_over =
    std::to_array<std::string_view>({"optimizer.params",
                                     "scheduler.",
                                     "gradient_clipping",
                                     "steps_per_print",
                                     "wall_clock",
                                     "fp16.",
                                     "bf16.",
                                     "prescale_gradients",
                                     "zero_allow",
                                     "disable_all",
                                     "aio.",
                                     "zero_optimization.contiguous",
                                     "zero_optimization.sub_group",
                                     "zero_optimization.stage3_gather",
                                     "deepspeed",
                                     "lr",
                                     "min-lr",
                                     "adam-",
                                     "weight-decay",
                                     "clip-grad",
                                     "log-",
                                     "eval-",
                                     "save",
                                     "load",
                                     "split",
                                     "data-",
                                     "vocab-file",
                                     "merge-file",
                                     "tokenizer-",
                                     "init-method",
                                     "exit-",
                                     "tensorboard-",
                                     "num-workers",
                                     "hysteresis",
                                     "seed",
                                     "loss-scale",
                                     "distributed-",
                                     "override-",
                                     "attention-dropout",
                                     "hidden-dropout",
                                     "no-query-key",
                                     "curriculum_learning.",
                                     "zero_optimization.offload_optimizer."});

constexpr std::array<std::pair<std::string_view, OptimizerKind>, 5> deepspeed_optimizers{
    {{"AdamW", OptimizerKind::AdamW},
     {"Adam", OptimizerKind::Adam},
     {"Lamb", OptimizerKind::Lamb},
     {"Lion", OptimizerKind::Lion},
     {"Muon", OptimizerKind::Muon}}};
constexpr std::array<std::pair<std::string_view, Precision>, 3> deepspeed_formats{
    {{"fp32", Precision::Fp32}, {"bf16", Precision::Bf16}, {"fp16", Precision::Fp16}}};
constexpr std::array<std::pair<std::string_view, KeptFormat>, 3> deepspeed_kept{
    {{"fp32", KeptFormat::Fp32}, {"bf16", KeptFormat::Bf16}, {"fp16", KeptFormat::Bf16}}};

/// Batch = micro-batch x accumulation x replicas, of which one may be left out
/// (docs/_pages/config-json.md).
void read_deepspeed_batch(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view batch_key = "train_batch_size";
  const long long batch = agreed(values, batch_key, "global-batch-size");
  constexpr std::string_view micro_key = "train_micro_batch_size_per_gpu";
  constexpr std::string_view repeats_key = "gradient_accumulation_steps";
  constexpr std::string_view trainers = "per_device_train_batch_size";
  long long micro =
      agreed(values, micro_key, values.is_stated(trainers) ? trainers : "micro-batch-size");
  long long repeats = values.whole(repeats_key);
  const int replicas = plan.data_parallel_size;
  if (batch == 0 && micro == 0) values.fail(batch_key, "neither it nor the micro-batch is stated");
  if (batch > 0 && micro == 0)
    micro = quotient_of(values, batch_key, batch,
                        product_of(values, batch_key, {std::max(1LL, repeats), replicas}));
  // The Trainer fills in one step where its flag does not say how many.
  if (repeats == 0 && batch == 0 && values.is_left_open(repeats_key) && !values.is_stated(trainers))
    values.fail(repeats_key, "neither it nor the batch is stated");
  if (repeats == 0)
    repeats = batch == 0 ? 1
                         : quotient_of(values, batch_key, batch,
                                       product_of(values, batch_key, {micro, replicas}));
  if (batch > 0 && batch != product_of(values, batch_key, {micro, repeats, replicas}))
    values.fail(batch_key, fmt::format("{} is not {} samples x {} micro-batches x {} replicas",
                                       batch, micro, repeats, replicas));
  if (micro < 1) values.fail(micro_key, "must be at least 1");
  plan.micro_batch = static_cast<double>(micro);
  set_accumulation(values, repeats_key, repeats, plan);
}

void read_deepspeed_sharding(const LaunchValues& values, Plan& plan) {
  constexpr std::string_view stage_key = "zero_optimization.stage";
  set_zero_stage(values, stage_key, agreed(values, stage_key, "zero-stage"), plan);
  constexpr std::string_view overlap = "zero_optimization.overlap_comm";
  if (values.is_stated(overlap)) plan.data_overlap = values.truth(overlap);
  plan.offloads_optimizer = values.text("zero_optimization.offload_optimizer.device") != "none";
  if (values.text("zero_optimization.offload_param.device") != "none")
    values.fail("zero_optimization.offload_param.device",
                "parameters on the host are not expressed");
  if (values.whole("zero_optimization.zero_hpz_partition_size") > 1)
    values.fail("zero_optimization.zero_hpz_partition_size", "second shards are not expressed");
  if (values.whole("zero_optimization.mics_shard_size") > 0)
    values.fail("zero_optimization.mics_shard_size", "shards of that many ranks are not expressed");
}

void read_deepspeed_numbers(const LaunchValues& values, Plan& plan) {
  const bool is_bf16 = values.truth("bf16.enabled") || values.truth("bf16");
  const bool is_fp16 = values.truth("fp16.enabled") || values.truth("fp16");
  if (is_bf16 && is_fp16) values.fail("fp16.enabled", "bf16 is on too: choose one");
  const bool is_decided =
      is_bf16 || is_fp16 || values.is_stated("bf16") || values.is_stated("fp16");
  for (const std::string_view key : {"bf16.enabled", "fp16.enabled"})
    if (!is_decided && values.is_left_open(key))
      values.fail(key, "state true or false, or give the script with its --bf16 or --fp16");
  plan.precision = is_bf16 ? Precision::Bf16 : is_fp16 ? Precision::Fp16 : Precision::Fp32;
  if (values.is_stated("optimizer.type"))
    plan.optimizer = values.choice<OptimizerKind>("optimizer.type", deepspeed_optimizers);
  if (values.is_stated("communication_data_type"))
    plan.gradient_precision =
        values.choice<Precision>("communication_data_type", deepspeed_formats);
  if (values.is_stated("data_types.grad_accum_dtype"))
    plan.kept_gradients = values.choice<KeptFormat>("data_types.grad_accum_dtype", deepspeed_kept);
  plan.recompute = values.choice<Recompute>("recompute-granularity", recompute_names);
  if (values.truth("checkpoint-activations") || values.truth("gradient_checkpointing"))
    plan.recompute = Recompute::Full;
}

LaunchedTraining deepspeed_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  values.to_plan(plan);
  if (!size.accelerators)
    values.fail("train_batch_size", "the file does not say on how many accelerators: -N");
  training.accelerators_per_node = size.accelerators_per_node;
  if (values.whole("ds-sequence-parallel-size") > 1)
    values.fail("ds-sequence-parallel-size", "Ulysses' exchange of heads is not expressed");
  if (values.is_stated("num-layers-per-virtual-pipeline-stage"))
    values.fail("num-layers-per-virtual-pipeline-stage", "DeepSpeed's pipelines do not interleave");
  plan.data_parallel_size = rest_of(values, "tensor-model-parallel-size", *size.accelerators,
                                    {plan.tensor_parallel_size, plan.pipeline_parallel_size});
  read_deepspeed_batch(values, plan);
  read_deepspeed_sharding(values, plan);
  read_deepspeed_numbers(values, plan);
  if (values.is_stated("seq-length")) training.sequence_length = length_of(values, "seq-length");
  // Its experts stand in every second layer, which no list of layers says here.
  if (training.sequence_length && values.whole("num-experts") <= 1)
    training.own_model = megatron_model(values, size.names_model);
  training.steps = values.count("train-iters");
  return training;
}

void write_deepspeed(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  if (plan.context_parallel_size > 1)
    throw InputError("it does not express context parallelism: state --cp 1");
  const auto micro = static_cast<long long>(plan.micro_batch);
  const auto batch = static_cast<long long>(plan.global_batch());
  values.set("train_batch_size", batch);
  values.set("train_micro_batch_size_per_gpu", micro);
  values.set("gradient_accumulation_steps", plan.gradient_accumulation);
  values.set("global-batch-size", batch);
  values.set("micro-batch-size", micro);
  values.set("zero_optimization.stage", static_cast<int>(plan.sharded));
  values.set("zero-stage", static_cast<int>(plan.sharded));
  values.set("zero_optimization.overlap_comm", plan.data_overlap);
  if (plan.offloads_optimizer) values.set("zero_optimization.offload_optimizer.device", "cpu");
  values.set("optimizer.type", name_or_first(deepspeed_optimizers, plan.optimizer));
  if (plan.gradient_precision)
    values.set("communication_data_type",
               name_or_first(deepspeed_formats, *plan.gradient_precision));
  if (plan.kept_gradients)
    values.set("data_types.grad_accum_dtype", name_or_first(deepspeed_kept, *plan.kept_gradients));
  const Precision precision = plan.precision.value_or(Precision::Bf16);
  for (const auto& [json, flag_name, format] :
       {std::tuple{"bf16.enabled", "bf16", Precision::Bf16},
        std::tuple{"fp16.enabled", "fp16", Precision::Fp16}})
    if (precision == format) {
      values.set(json, true);
      values.set(flag_name, true);
    }
  if (plan.recompute != Recompute::None)
    values.set("recompute-granularity", name_or_first(recompute_names, plan.recompute));
  if (training.sequence_length) values.set("seq-length", *training.sequence_length);
  if (training.steps) values.set("train-iters", *training.steps);
}

bool is_flag_of_program(std::string_view key) {
  const auto found = std::find_if(deepspeed_keys.begin(), deepspeed_keys.end(),
                                  [&](const LaunchKey& each) { return each.key == key; });
  return found != deepspeed_keys.end() && found->source == arguments;
}

/// A script that writes the JSON and starts the program with the flags.
std::string write_deepspeed_script(const LaunchedTraining& training,
                                   std::span<const LaunchSetting> settings) {
  std::vector<LaunchSetting> json;
  std::vector<LaunchSetting> flags{{"deepspeed", "", {}},
                                   {"deepspeed_config", "ds_config.json", {}}};
  for (LaunchSetting setting : settings) {
    const bool is_flag = is_flag_of_program(setting.key);
    if (!is_flag) json.push_back(setting);
    if (!is_flag || setting.value == "false") continue;
    if (setting.value == "true") setting.value.clear();  // a switch
    flags.push_back(std::move(setting));
  }
  std::vector<std::string> front = launcher_words(training, "deepspeed");
  front.emplace_back("pretrain_gpt.py");
  return "#!/bin/bash\ncat <<'EOT' > ds_config.json\n" + write_json(json) + "EOT\n" +
         write_command(front, flags, OptionStyle::Dashed);
}

}  // namespace

const LaunchStack deepspeed_stack{
    .name = "deepspeed",
    .stack = "megatron-deepspeed",
    .version = "deepspeedai/DeepSpeed 0.19.6 (edaa7221), Megatron-DeepSpeed 4efb479d",
    .keys = deepspeed_keys,
    .passed_over = deepspeed_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_key(file, "zero_optimization.") || has_key(file, "deepspeed") ||
                 has_key(file, "train_batch_size");
        },
    .to_training = deepspeed_training,
    .from_training = write_deepspeed,
    .write = write_deepspeed_script,
    .as_flags = [](const LaunchFile& file) { return renamed(file, deepspeed_names); },
};

}  // namespace launch
}  // namespace tofn
