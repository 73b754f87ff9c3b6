#include <algorithm>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/launchers/launch_stack.hpp"

// llm-foundry on Composer: the YAML of scripts/train/yamls. Its own models (MPT) are stated by
// dimensions.

namespace tofn {
inline namespace formats {
namespace {

int needed_mpt_size(const LaunchValues& values, std::string_view key) {
  const int size = values.size(key);
  if (size < 1) values.fail(key, "must be at least 1");
  return size;
}

constexpr std::string_view mpt_experts = "mb_";  // prefix of the ffn_types of megablocks

TransformerLayers mpt_layers(const LaunchValues& values) {
  constexpr std::string_view heads_key = "model.n_heads";
  constexpr std::string_view groups_key = "model.attn_config.kv_n_heads";
  TransformerLayers layers{.count = needed_mpt_size(values, "model.n_layers"),
                           .hidden = needed_mpt_size(values, "model.d_model"),
                           .heads = needed_mpt_size(values, heads_key)};
  const int groups = values.size(groups_key);
  layers.key_value_heads = groups > 0 ? groups : layers.heads;
  if (layers.heads % layers.key_value_heads != 0)
    values.fail(groups_key, fmt::format("must divide the {} heads", layers.heads));
  layers.head_size = values.size("model.head_dim");
  if (layers.head_size == 0 && layers.hidden % layers.heads != 0)
    values.fail(heads_key, fmt::format("must divide d_model, {}", layers.hidden));
  if (layers.head_size == 0) layers.head_size = layers.hidden / layers.heads;
  constexpr std::string_view ratio_key = "model.expansion_ratio";
  const double ratio = values.number(ratio_key);
  if (!(ratio > 0 && ratio * layers.hidden <= 1e7)) values.fail(ratio_key, "must be above 0");
  const int width = values.size("model.ffn_config.ffn_hidden_size");
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
  constexpr std::string_view batch_key = "global_train_batch_size";
  constexpr std::string_view micro_key = "device_train_microbatch_size";
  LaunchedTraining training = training_on(values, size, batch_key);
  Plan& plan = training.plan;
  const int each = quotient_of(values, batch_key, values.whole(batch_key), plan.data_parallel_size);
  const long long micro = values.whole(micro_key);
  if (micro == 0) values.fail(micro_key, "state it");
  // Composer takes at most the samples that a rank has.
  plan.micro_batch = static_cast<double>(std::min<long long>(micro, each));
  set_accumulation(values, micro_key,
                   quotient_of(values, micro_key, each, static_cast<long long>(plan.micro_batch)),
                   plan);
  values.choose("fsdp_config.sharding_strategy", plan);
  if (values.truth("fsdp_config.activation_checkpointing")) plan.recompute = Recompute::Full;
  if (values.truth("fsdp_config.activation_cpu_offload"))
    values.fail("fsdp_config.activation_cpu_offload", "activations on the host are not expressed");
  values.choose("optimizer.name", plan);
  training.sequence_length = length_of(values, "max_seq_len");
  if (values.text("model.name") == "mpt_causal_lm")
    training.own_model = mpt_model(values, *training.sequence_length);
  // `143100ba` is a number of batches; the steps of durations in tokens or epochs depend on the
  // data.
  const std::string duration = values.text("max_duration");
  long long steps = 0;
  if (duration.ends_with("ba") && parse_integer(duration.substr(0, duration.size() - 2), steps))
    training.steps = steps;
  return training;
}

}  // namespace

const LaunchCode composer_code{.launcher = "llm-foundry", .to_training = composer_training};

}  // namespace formats
}  // namespace tofn
