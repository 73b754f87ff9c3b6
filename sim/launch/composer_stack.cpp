#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/launch/launch_stack.hpp"

// llm-foundry on Composer: the YAML of scripts/train/yamls. Its own models (MPT) are dimensions.

namespace tofn {
inline namespace launch {
namespace {

constexpr std::string_view foundry_config = "llmfoundry/utils/config_utils.py";
constexpr std::string_view composer_fsdp = "composer/core/state.py";
constexpr std::string_view mpt_config = "llmfoundry/models/mpt/configuration_mpt.py";

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
    LaunchKey{"model.name", LaunchKind::Text, "", foundry_config},
    LaunchKey{"model.d_model", LaunchKind::Whole, "2048", mpt_config},
    LaunchKey{"model.n_heads", LaunchKind::Whole, "16", mpt_config},
    LaunchKey{"model.n_layers", LaunchKind::Whole, "24", mpt_config},
    LaunchKey{"model.head_dim", LaunchKind::Whole, "0", mpt_config},
    LaunchKey{"model.expansion_ratio", LaunchKind::Number, "4", mpt_config},
    LaunchKey{"model.vocab_size", LaunchKind::Whole, "50368", mpt_config},
    LaunchKey{"model.no_bias", LaunchKind::Truth, "false", mpt_config},
    LaunchKey{"model.learned_pos_emb", LaunchKind::Truth, "true", mpt_config},
    LaunchKey{"model.tie_word_embeddings", LaunchKind::Truth, "true", mpt_config},
    LaunchKey{"model.attn_config.kv_n_heads", LaunchKind::Whole, "0", mpt_config},
    LaunchKey{"model.attn_config.alibi", LaunchKind::Truth, "false", mpt_config},
    LaunchKey{"model.attn_config.rope", LaunchKind::Truth, "false", mpt_config},
    LaunchKey{"model.attn_config.qk_ln", LaunchKind::Truth, "false", mpt_config},
    LaunchKey{"model.ffn_config.ffn_type", LaunchKind::Text, "mptmlp", mpt_config},
    LaunchKey{"model.ffn_config.ffn_hidden_size", LaunchKind::Whole, "0", mpt_config},
    LaunchKey{"model.ffn_config.moe_num_experts", LaunchKind::Whole, "1", mpt_config},
    LaunchKey{"model.ffn_config.moe_top_k", LaunchKind::Whole, "1", mpt_config},
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
                                     "model.attn_config.attn_impl",
                                     "model.loss_fn",
                                     "model.ffn_config.moe_loss",
                                     "model.ffn_config.moe_lbl",
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

int mpt_size(const LaunchValues& values, std::string_view key) {
  constexpr long long most = 10'000'000;
  const long long size = values.whole(key);
  if (size < 0 || size > most)
    values.fail(key, fmt::format("must be from 0 to {}, got {}", most, size));
  return static_cast<int>(size);
}

int needed_mpt_size(const LaunchValues& values, std::string_view key) {
  const int size = mpt_size(values, key);
  if (size < 1) values.fail(key, "must be at least 1");
  return size;
}

constexpr std::string_view mpt_experts = "mb_";  // ffn_types of megablocks

TransformerLayers mpt_layers(const LaunchValues& values) {
  constexpr std::string_view heads_key = "model.n_heads";
  constexpr std::string_view groups_key = "model.attn_config.kv_n_heads";
  TransformerLayers layers{.count = needed_mpt_size(values, "model.n_layers"),
                           .hidden = needed_mpt_size(values, "model.d_model"),
                           .heads = needed_mpt_size(values, heads_key)};
  const int groups = mpt_size(values, groups_key);
  layers.key_value_heads = groups > 0 ? groups : layers.heads;
  if (layers.heads % layers.key_value_heads != 0)
    values.fail(groups_key, fmt::format("must divide the {} heads", layers.heads));
  layers.head_size = mpt_size(values, "model.head_dim");
  if (layers.head_size == 0 && layers.hidden % layers.heads != 0)
    values.fail(heads_key, fmt::format("must divide d_model, {}", layers.hidden));
  if (layers.head_size == 0) layers.head_size = layers.hidden / layers.heads;
  constexpr std::string_view ratio_key = "model.expansion_ratio";
  const double ratio = values.number(ratio_key);
  if (!(ratio > 0 && ratio * layers.hidden <= 1e7)) values.fail(ratio_key, "must be above 0");
  const int width = mpt_size(values, "model.ffn_config.ffn_hidden_size");
  layers.feed_forward = width > 0 ? width : std::max(1, static_cast<int>(ratio * layers.hidden));
  const std::string type = values.text("model.ffn_config.ffn_type");
  layers.gated = type == "mptglu" || type == "torch_dmoe";
  if (type.starts_with(mpt_experts) || type == "torch_dmoe") {
    layers.experts = needed_mpt_size(values, "model.ffn_config.moe_num_experts");
    layers.experts_per_token = needed_mpt_size(values, "model.ffn_config.moe_top_k");
    if (layers.experts_per_token > layers.experts)
      values.fail("model.ffn_config.moe_top_k",
                  fmt::format("there are {} experts", layers.experts));
  }
  layers.biases = !values.truth("model.no_bias");
  layers.query_key_norms = values.truth("model.attn_config.qk_ln");
  layers.rotary = values.truth("model.attn_config.rope");
  return layers;
}

Model mpt_model(const LaunchValues& values, int sequence_length) {
  const TransformerLayers layers = mpt_layers(values);
  Model model;
  model.name = model.title = "launched";
  model.source = "the launch file";
  model.sequence_length = sequence_length;
  const bool learns = values.truth("model.learned_pos_emb") && !layers.rotary &&
                      !values.truth("model.attn_config.alibi");
  model.parts = {{.name = "vocabulary",
                  .shape = Vocabulary{.size = needed_mpt_size(values, "model.vocab_size"),
                                      .hidden = layers.hidden,
                                      .positions = learns ? sequence_length : 0,
                                      .tied = values.truth("model.tie_word_embeddings"),
                                      .biases = layers.biases}},
                 {.name = "transformer", .shape = layers}};
  return model;
}

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
  if (values.text("model.name") == "mpt_causal_lm")
    training.own_model = mpt_model(values, *training.sequence_length);
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
