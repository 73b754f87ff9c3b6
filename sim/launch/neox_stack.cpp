#include <algorithm>
#include <array>
#include <string>

#include "sim/core/quantity_text.hpp"
#include "sim/launch/launch_names.hpp"
#include "sim/launch/launch_stack.hpp"

// GPT-NeoX's YAML (github.com/EleutherAI/gpt-neox, configs/): keys of DeepSpeed's JSON, and of
// Megatron-LM's layers under other names, with dashes or underscores.

namespace tofn {
inline namespace launch {
namespace {

/// megatron/neox_arguments/neox_args.py.
constexpr auto neox_names = std::to_array<LaunchName>(
    {{"pipe_parallel_size", "pipeline-model-parallel-size"},
     {"pipe_parallel_size", "pipeline-model-parallel-size", "0", "1"},
     {"model_parallel_size", "tensor-model-parallel-size"},
     {"model_parallel_size", "tensor-model-parallel-size", "0", "1"},
     {"sequence_parallel", "sequence-parallel"},
     {"num_layers", "num-layers"},
     {"hidden_size", "hidden-size"},
     {"intermediate_size", "ffn-hidden-size"},
     {"num_attention_heads", "num-attention-heads"},
     {"num_kv_heads", "num-query-groups"},
     {"num_kv_heads", "group-query-attention", "", "true"},
     {"seq_length", "seq-length"},
     {"max_position_embeddings", "max-position-embeddings"},
     {"train_iters", "train-iters"},
     {"make_vocab_size_divisible_by", "make-vocab-size-divisible-by"},
     {"padded_vocab_size", "padded-vocab-size"},
     {"tokenizer_type", "tokenizer-type"},
     {"no_weight_tying", "untie-embeddings-and-output-weights"},
     {"checkpoint_activations", "checkpoint-activations"},
     {"pos_emb", "position-embedding-type", "rotary", "rope"},
     {"pos_emb", "position-embedding-type", "learned", "learned_absolute"},
     {"pos_emb", "position-embedding-type", "sinusoidal", "none"},
     {"pos_emb", "position-embedding-type", "rpe", "none"},
     {"pos_emb", "position-embedding-type", "alibi", "none"},
     {"pos_emb", "position-embedding-type", "none", "none"},
     {"norm", "normalization", "layernorm", "LayerNorm"},
     {"norm", "normalization", "rmsnorm", "RMSNorm"},
     {"norm", "normalization", "te_layernorm", "LayerNorm"},
     {"norm", "normalization", "te_rmsnorm", "RMSNorm"},
     {"activation", "swiglu", "swiglu", "true"},
     {"activation", "swiglu", "geglu", "true"},
     {"activation", "swiglu", "reglu", "true"},
     {"mlp_type", "swiglu", "llama", "true"},
     {"mlp_type", "disable-bias-linear", "llama", "true"},
     {"mlp_type", "disable-bias-linear", "regular", "false"},
     {"use_bias_in_mlp", "disable-bias-linear", "false", "true"},
     {"use_bias_in_mlp", "disable-bias-linear", "true", "false"},
     {"precision", "bf16.enabled", "bfloat16", "true"},
     {"precision", "fp16.enabled", "fp16", "true"},
     {"precision", "fp16.enabled", "fp32", "false"}});

/// Data, logs, learning rates, kernels, what acts on no step's time; and attention beside the MLP,
/// which does the same work.
constexpr auto neox_passed_over = std::to_array<std::string_view>({"activation_checkpointing",
                                                                   "attention_config",
                                                                   "attention_dropout",
                                                                   "attention_softmax",
                                                                   "bias_",
                                                                   "checkpoint",
                                                                   "clip_grad",
                                                                   "config_files",
                                                                   "data_",
                                                                   "distributed_backend",
                                                                   "do_",
                                                                   "eval_",
                                                                   "extra_save",
                                                                   "finetune",
                                                                   "fp16.",
                                                                   "gpt_j_",
                                                                   "gradient_clipping",
                                                                   "hidden_dropout",
                                                                   "hysteresis",
                                                                   "include",
                                                                   "init_method",
                                                                   "keep_last",
                                                                   "launcher",
                                                                   "layernorm_",
                                                                   "load",
                                                                   "log_",
                                                                   "lr_",
                                                                   "merge_file",
                                                                   "min_lr",
                                                                   "min_scale",
                                                                   "mlp_multiple_of",
                                                                   "num_workers",
                                                                   "optimizer.params",
                                                                   "output_layer_",
                                                                   "partition_",
                                                                   "rms_norm_",
                                                                   "rotary_",
                                                                   "save",
                                                                   "scaled_",
                                                                   "seed",
                                                                   "split",
                                                                   "steps_per_print",
                                                                   "synchronize_",
                                                                   "tensorboard",
                                                                   "test_data",
                                                                   "train_data",
                                                                   "use_wandb",
                                                                   "valid_data",
                                                                   "vocab_file",
                                                                   "wall_clock",
                                                                   "wandb",
                                                                   "warmup",
                                                                   "weight_decay",
                                                                   "zero_allow",
                                                                   "zero_optimization.contiguous"});

/// Keys of the top have dashes or underscores.
std::string underscored(std::string key) {
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

/// Llama's MLP has two thirds of 4 x hidden, in multiples (megatron/model/transformer.py).
void add_llama_width(LaunchFile& file) {
  long long hidden = 0;
  long long multiple = 256;
  bool is_llama = false;
  bool has_width = false;
  Location place;
  for (const LaunchSetting& each : file.settings) {
    if (each.key == "hidden_size") parse_integer(each.value, hidden);
    if (each.key == "mlp_multiple_of") parse_integer(each.value, multiple);
    has_width |= each.key == "intermediate_size";
    if (each.key != "mlp_type" || each.value != "llama") continue;
    is_llama = true;
    place = each.place;
  }
  constexpr long long most = 10'000'000;
  if (!is_llama || has_width || hidden < 1 || hidden > most || multiple < 1 || multiple > most)
    return;
  const long long width = (8 * hidden / 3 + multiple - 1) / multiple * multiple;
  file.settings.push_back({"intermediate_size", std::to_string(width), place});
}

LaunchFile neox_flags(const LaunchFile& file) {
  LaunchFile flags = file;
  for (LaunchSetting& setting : flags.settings) setting.key = underscored(setting.key);
  for (LaunchUnknown& unknown : flags.not_understood) unknown.key = underscored(unknown.key);
  // Whether another one gates is the MLP's type.
  std::erase_if(flags.settings, [](const LaunchSetting& setting) {
    return setting.key == "activation" && !setting.value.ends_with("glu");
  });
  add_llama_width(flags);
  return renamed(flags, neox_names);
}

}  // namespace

const LaunchStack neox_stack{
    .name = "gpt-neox",
    .stack = "megatron-deepspeed",
    .version = "EleutherAI/gpt-neox, megatron/neox_arguments, from memory",
    .keys = deepspeed_stack.keys,
    .passed_over = neox_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_key(file, "pipe_parallel_size") || has_key(file, "pipe-parallel-size");
        },
    .to_training = [](const LaunchValues& values,
                      const LaunchSize& size) { return deepspeed_stack.to_training(values, size); },
    .as_flags = neox_flags,
};

}  // namespace launch
}  // namespace tofn
