#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/launch/launch_stack.hpp"
#include "sim/launch/launch_writer.hpp"
#include "sim/launch/megatron_model.hpp"

// The arguments of Megatron-LM's pretrain_gpt.py: a row a flag.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view model_config = "megatron/core/transformer/transformer_config.py";
constexpr std::string_view parallel_config = "megatron/core/model_parallel_config.py";
constexpr std::string_view training_config = "megatron/training/config/training_config.py";
constexpr std::string_view megatron_arguments = "megatron/training/arguments.py";
constexpr LaunchKind count = LaunchKind::Whole;
constexpr LaunchKind toggle = LaunchKind::Truth;
constexpr LaunchKind name = LaunchKind::Text;

constexpr std::array megatron_keys{
    LaunchKey{"num-layers", count, "0", model_config},
    LaunchKey{"hidden-size", count, "0", model_config},
    LaunchKey{"ffn-hidden-size", count, "0", model_config},
    LaunchKey{"num-attention-heads", count, "0", model_config},
    LaunchKey{"kv-channels", count, "0", model_config},
    LaunchKey{"group-query-attention", toggle, "false", megatron_arguments},
    LaunchKey{"num-query-groups", count, "0", model_config},
    LaunchKey{"swiglu", toggle, "false", megatron_arguments},
    LaunchKey{"disable-bias-linear", toggle, "false", model_config},
    LaunchKey{"add-qkv-bias", toggle, "false", model_config},
    LaunchKey{"qk-layernorm", toggle, "false", model_config},
    LaunchKey{"normalization", name, "LayerNorm", model_config},
    LaunchKey{"position-embedding-type", name, "learned_absolute", megatron_arguments},
    LaunchKey{"max-position-embeddings", count, "0", megatron_arguments},
    LaunchKey{"vocab-size", count, "0", training_config},
    LaunchKey{"padded-vocab-size", count, "0", training_config},
    LaunchKey{"untie-embeddings-and-output-weights", toggle, "false", megatron_arguments},
    LaunchKey{"num-experts", count, "0", megatron_arguments},
    LaunchKey{"moe-router-topk", count, "2", model_config},
    LaunchKey{"moe-ffn-hidden-size", count, "0", model_config},
    LaunchKey{"moe-shared-expert-intermediate-size", count, "0", model_config},
    LaunchKey{"moe-layer-freq", name, "1", megatron_arguments},
    LaunchKey{"multi-latent-attention", toggle, "false", model_config},
    LaunchKey{"q-lora-rank", count, "0", megatron_arguments},
    LaunchKey{"kv-lora-rank", count, "32", megatron_arguments},
    LaunchKey{"qk-head-dim", count, "128", megatron_arguments},
    LaunchKey{"qk-pos-emb-head-dim", count, "64", megatron_arguments},
    LaunchKey{"v-head-dim", count, "128", megatron_arguments},
    LaunchKey{"seq-length", count, "0", megatron_arguments},
    LaunchKey{"micro-batch-size", count, "0", training_config},
    LaunchKey{"global-batch-size", count, "0", training_config},
    LaunchKey{"train-iters", count, "0", training_config},
    LaunchKey{"train-samples", count, "0", training_config},
    LaunchKey{"tensor-model-parallel-size", count, "1", parallel_config,
              &Plan::tensor_parallel_size},
    LaunchKey{"pipeline-model-parallel-size", count, "1", parallel_config,
              &Plan::pipeline_parallel_size},
    LaunchKey{"context-parallel-size", count, "1", parallel_config, &Plan::context_parallel_size},
    LaunchKey{"cp-comm-type", name, "p2p", megatron_arguments},
    LaunchKey{"expert-model-parallel-size", count, "1", parallel_config,
              &Plan::expert_parallel_size},
    LaunchKey{"expert-tensor-parallel-size", count, "0", parallel_config},
    LaunchKey{"num-virtual-stages-per-pipeline-rank", count, "0", megatron_arguments},
    LaunchKey{"num-layers-per-virtual-pipeline-stage", count, "0", megatron_arguments},
    LaunchKey{"no-overlap-p2p-communication", toggle, "false", megatron_arguments},
    LaunchKey{"sequence-parallel", toggle, "false", parallel_config, &Plan::sequence_parallel},
    LaunchKey{"tp-comm-overlap", toggle, "false", parallel_config, &Plan::tensor_overlap},
    LaunchKey{"recompute-granularity", name, "", model_config},
    LaunchKey{"recompute-activations", toggle, "false", megatron_arguments},
    LaunchKey{"recompute-method", name, "", model_config},
    LaunchKey{"recompute-num-layers", count, "1", model_config},
    LaunchKey{"use-distributed-optimizer", toggle, "false", megatron_arguments},
    LaunchKey{"use-megatron-fsdp", toggle, "false", "megatron/training/config/common_config.py"},
    LaunchKey{"data-parallel-sharding-strategy", name, "optim_grads_params", megatron_arguments},
    LaunchKey{"overlap-grad-reduce", toggle, "false", megatron_arguments, &Plan::data_overlap},
    LaunchKey{"overlap-param-gather", toggle, "false", megatron_arguments,
              &Plan::parameter_overlap},
    LaunchKey{"overlap-moe-expert-parallel-comm", toggle, "false", parallel_config,
              &Plan::expert_overlap},
    LaunchKey{"moe-token-dispatcher-type", name, "allgather", model_config},
    LaunchKey{"bf16", toggle, "false", parallel_config},
    LaunchKey{"fp16", toggle, "false", parallel_config},
    LaunchKey{"fp8-format", name, "", model_config},
    LaunchKey{"fp4-format", name, "", model_config},
    LaunchKey{"fp8-param-gather", toggle, "false", megatron_arguments},
    LaunchKey{"grad-reduce-in-bf16", toggle, "false", megatron_arguments},
    LaunchKey{"optimizer", name, "adam", megatron_arguments},
    LaunchKey{"optimizer-cpu-offload", toggle, "false", megatron_arguments,
              &Plan::offloads_optimizer},
};

/// Data, logs, learning rates, kernels that a stack's figures hold, and what acts on no step's
/// time.
constexpr auto megatron_passed_over = std::to_array<std::string_view>({"use-mcore-models",
                                                                       "attention-",
                                                                       "hidden-dropout",
                                                                       "rotary-",
                                                                       "init-method",
                                                                       "apply-layernorm",
                                                                       "lr",
                                                                       "min-lr",
                                                                       "decoupled-",
                                                                       "clip-grad",
                                                                       "weight-decay",
                                                                       "adam-",
                                                                       "sgd-",
                                                                       "muon-",
                                                                       "accumulate-allreduce",
                                                                       "cross-entropy",
                                                                       "calculate-per-token",
                                                                       "manual-gc",
                                                                       "empty-unused",
                                                                       "exit-",
                                                                       "fp8-amax",
                                                                       "fp8-recipe",
                                                                       "fp8-margin",
                                                                       "fp8-interval",
                                                                       "first-last",
                                                                       "tokenizer-",
                                                                       "data-",
                                                                       "mock-data",
                                                                       "split",
                                                                       "vocab-file",
                                                                       "merge-file",
                                                                       "save",
                                                                       "load",
                                                                       "no-load",
                                                                       "no-save",
                                                                       "ckpt-",
                                                                       "dist-ckpt",
                                                                       "async-save",
                                                                       "auto-detect",
                                                                       "log-",
                                                                       "eval-",
                                                                       "tensorboard",
                                                                       "wandb",
                                                                       "timing-",
                                                                       "distributed-",
                                                                       "ddp-",
                                                                       "no-masked",
                                                                       "no-bias",
                                                                       "no-gradient",
                                                                       "no-position",
                                                                       "no-rope",
                                                                       "no-create",
                                                                       "no-mmap",
                                                                       "no-ckpt",
                                                                       "no-check",
                                                                       "no-async",
                                                                       "no-persist",
                                                                       "use-flash",
                                                                       "use-rotary",
                                                                       "use-cpu",
                                                                       "use-dist",
                                                                       "transformer-impl",
                                                                       "num-workers",
                                                                       "seed",
                                                                       "make-vocab",
                                                                       "norm-epsilon",
                                                                       "layernorm-epsilon",
                                                                       "moe-router",
                                                                       "moe-aux",
                                                                       "moe-z",
                                                                       "moe-grouped",
                                                                       "moe-permute",
                                                                       "moe-pad",
                                                                       "moe-expert-cap",
                                                                       "moe-token-drop",
                                                                       "moe-enable",
                                                                       "moe-flex",
                                                                       "enable-experimental",
                                                                       "enable-gloo",
                                                                       "loss-scale",
                                                                       "initial-loss",
                                                                       "min-loss",
                                                                       "hysteresis",
                                                                       "profile",
                                                                       "nvtx",
                                                                       "one-logger",
                                                                       "straggler",
                                                                       "high-priority",
                                                                       "te-",
                                                                       "check-for",
                                                                       "train-sync",
                                                                       "override-",
                                                                       "step-batch-size"});

constexpr std::array<std::pair<std::string_view, OptimizerKind>, 4> megatron_optimizers{
    {{"adam", OptimizerKind::AdamW},
     {"sgd", OptimizerKind::Sgd},
     {"lion", OptimizerKind::Lion},
     {"muon", OptimizerKind::Muon}}};
constexpr std::array<std::pair<std::string_view, Recompute>, 3> megatron_recompute{
    {{"", Recompute::None}, {"selective", Recompute::Selective}, {"full", Recompute::Full}}};
constexpr std::array<std::pair<std::string_view, ContextExchange>, 2> megatron_exchanges{
    {{"p2p", ContextExchange::Ring}, {"all_gather", ContextExchange::AllGather}}};
constexpr std::array<std::pair<std::string_view, ExpertDispatch>, 3> megatron_dispatchers{
    {{"alltoall", ExpertDispatch::AllToAll},
     {"flex", ExpertDispatch::TwoLevel},
     {"allgather", ExpertDispatch::AllToAll}}};
constexpr std::array<std::pair<std::string_view, Sharded>, 4> megatron_shards{
    {{"no_shard", Sharded::Nothing},
     {"optim", Sharded::Optimizer},
     {"optim_grads", Sharded::Gradients},
     {"optim_grads_params", Sharded::Parameters}}};

template <class E, std::size_t Size>
std::string_view flag_for(const std::array<std::pair<std::string_view, E>, Size>& names, E value) {
  for (const auto& [each, meant] : names)
    if (meant == value) return each;
  return names.front().first;
}

void read_megatron_pipeline(const LaunchValues& values, Plan& plan) {
  const long long chunks = values.whole("num-virtual-stages-per-pipeline-rank");
  const long long layers = values.whole("num-layers-per-virtual-pipeline-stage");
  if (chunks > 0) plan.chunks_per_stage = static_cast<int>(chunks);
  if (layers > 0)
    plan.chunks_per_stage =
        quotient_of(values, "num-layers-per-virtual-pipeline-stage", values.whole("num-layers"),
                    layers * plan.pipeline_parallel_size);
  plan.send_overlap = plan.chunks_per_stage > 1 && !values.truth("no-overlap-p2p-communication");
}

void read_megatron_sharding(const LaunchValues& values, Plan& plan) {
  plan.sharded = values.truth("use-distributed-optimizer") ? Sharded::Optimizer : Sharded::Nothing;
  if (values.truth("use-megatron-fsdp"))
    plan.sharded = values.choice<Sharded>("data-parallel-sharding-strategy", megatron_shards);
}

void read_megatron_numbers(const LaunchValues& values, Plan& plan) {
  plan.precision = values.truth("bf16")   ? Precision::Bf16
                   : values.truth("fp16") ? Precision::Fp16
                                          : Precision::Fp32;
  if (!values.text("fp8-format").empty()) plan.precision = Precision::Fp8;
  if (!values.text("fp4-format").empty()) plan.precision = Precision::Fp4;
  if (values.truth("grad-reduce-in-bf16")) plan.gradient_precision = Precision::Bf16;
  if (values.truth("fp8-param-gather")) plan.parameter_precision = Precision::Fp8;
  plan.optimizer = values.choice<OptimizerKind>("optimizer", megatron_optimizers);
  plan.recompute = values.choice<Recompute>("recompute-granularity", megatron_recompute);
  if (values.truth("recompute-activations")) plan.recompute = Recompute::Selective;
  if (plan.recompute == Recompute::Full && values.text("recompute-method") == "block")
    values.fail("recompute-method", "'block', recomputation of some layers, is not expressed");
  plan.context_exchange = values.choice<ContextExchange>("cp-comm-type", megatron_exchanges);
  plan.expert_dispatch =
      values.choice<ExpertDispatch>("moe-token-dispatcher-type", megatron_dispatchers);
}

void read_megatron_batch(const LaunchValues& values, Plan& plan) {
  const long long micro = values.whole("micro-batch-size");
  if (micro < 1) values.fail("micro-batch-size", "is needed");
  plan.micro_batch = static_cast<double>(micro);
  const long long replicas = micro * plan.data_parallel_size;
  const long long batch = values.whole("global-batch-size");
  plan.gradient_accumulation =
      batch > 0 ? quotient_of(values, "global-batch-size", batch, replicas) : 1;
}

LaunchedTraining megatron_training(const LaunchValues& values, const LaunchSize& size) {
  LaunchedTraining training;
  Plan& plan = training.plan;
  values.to_plan(plan);
  if (!size.accelerators)
    values.fail("tensor-model-parallel-size", "the file does not say on how many accelerators: -N");
  training.accelerators_per_node = size.accelerators_per_node;
  plan.data_parallel_size = rest_of(
      values, "tensor-model-parallel-size", *size.accelerators,
      1LL * plan.tensor_parallel_size * plan.pipeline_parallel_size * plan.context_parallel_size);
  const long long expert_tensor = values.whole("expert-tensor-parallel-size");
  plan.whole_experts = expert_tensor == 1 && plan.expert_parallel_size > 1;
  read_megatron_pipeline(values, plan);
  read_megatron_sharding(values, plan);
  read_megatron_numbers(values, plan);
  read_megatron_batch(values, plan);
  training.own_model = megatron_model(values);
  if (const long long length = values.whole("seq-length"); length > 0)
    training.sequence_length = static_cast<int>(length);
  if (const long long steps = values.whole("train-iters"); steps > 0)
    training.steps = steps;
  else if (const long long samples = values.whole("train-samples"); samples > 0)
    training.steps = std::max(1LL, samples / static_cast<long long>(plan.global_batch()));
  return training;
}

void write_megatron(const LaunchedTraining& training, LaunchValues& values) {
  const Plan& plan = training.plan;
  if (training.own_model) set_megatron_model(*training.own_model, values);
  if (training.sequence_length) values.set("seq-length", *training.sequence_length);
  values.set("micro-batch-size", static_cast<long long>(plan.micro_batch));
  values.set("global-batch-size", static_cast<long long>(plan.global_batch()));
  if (training.steps) values.set("train-iters", *training.steps);
  if (plan.chunks_per_stage > 1) {
    values.set("num-virtual-stages-per-pipeline-rank", plan.chunks_per_stage);
    values.set("no-overlap-p2p-communication", !plan.send_overlap);
  }
  if (plan.expert_parallel_size > 1)
    values.set("expert-tensor-parallel-size", plan.whole_experts ? 1 : plan.tensor_parallel_size);
  values.set("moe-token-dispatcher-type", flag_for(megatron_dispatchers, plan.expert_dispatch));
  values.set("cp-comm-type", flag_for(megatron_exchanges, plan.context_exchange));
  if (plan.recompute != Recompute::None)
    values.set("recompute-granularity", flag_for(megatron_recompute, plan.recompute));
  if (plan.recompute == Recompute::Full) {
    values.set("recompute-method", "uniform");
    values.set("recompute-num-layers", 1);
  }
  values.set("use-distributed-optimizer", plan.sharded != Sharded::Nothing);
  if (plan.sharded == Sharded::Gradients || plan.sharded == Sharded::Parameters) {
    values.set("use-megatron-fsdp", true);
    values.set("data-parallel-sharding-strategy", flag_for(megatron_shards, plan.sharded));
  }
  const Precision precision = plan.precision.value_or(Precision::Bf16);
  values.set("bf16", precision != Precision::Fp16 && precision != Precision::Fp32);
  values.set("fp16", precision == Precision::Fp16);
  if (precision == Precision::Fp8) values.set("fp8-format", "hybrid");
  if (precision == Precision::Fp4) values.set("fp4-format", "e2m1");
  values.set("grad-reduce-in-bf16", plan.gradient_precision == Precision::Bf16);
  values.set("fp8-param-gather", plan.parameter_precision == Precision::Fp8);
  values.set("optimizer", flag_for(megatron_optimizers, plan.optimizer));
}

std::string write_megatron_script(const LaunchedTraining& training,
                                  std::span<const LaunchSetting> settings) {
  std::vector<LaunchSetting> flags;
  for (LaunchSetting setting : settings) {
    if (setting.value == "false") continue;
    if (setting.value == "true") setting.value.clear();  // a switch
    flags.push_back(std::move(setting));
  }
  std::vector<std::string> front = launcher_words(training, "torchrun");
  front.emplace_back("pretrain_gpt.py");
  return "#!/bin/bash\n" + write_command(front, flags, OptionStyle::Dashed);
}

}  // namespace

const LaunchStack megatron_stack{
    .name = "megatron-lm",
    .stack = "megatron-core",
    .version = "NVIDIA/Megatron-LM 0.20.0 (d98e8a64)",
    .keys = megatron_keys,
    .passed_over = megatron_passed_over,
    .is_of = [](const LaunchFile& file) { return has_key(file, "num-layers"); },
    .to_training = megatron_training,
    .from_training = write_megatron,
    .write = write_megatron_script,
};

}  // namespace launch
}  // namespace tofn
