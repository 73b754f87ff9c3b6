#include <algorithm>
#include <array>

#include "sim/launch/launch_names.hpp"
#include "sim/launch/launch_stack.hpp"
#include "sim/launch/megatron_keys.hpp"

// NeMo 1's YAML: Megatron-LM's flags under other names, in `model` and `trainer`.

namespace tofn {
inline namespace launch {
namespace {

/// github.com/NVIDIA/NeMo, examples/nlp/language_modeling/conf/megatron_gpt_config.yaml; other keys
/// of `model` have the flag's name with `_`. What becomes `null` leaves the flag unstated.
constexpr auto nemo_names = std::to_array<LaunchName>(
    {{"trainer.num_nodes", "torchrun.nnodes"},
     {"trainer.devices", "torchrun.nproc_per_node"},
     {"trainer.max_steps", "train-iters"},
     {"trainer.precision", "bf16", "bf16", "true"},
     {"trainer.precision", "bf16", "bf16-mixed", "true"},
     {"trainer.precision", "bf16", "16", "null"},
     {"trainer.precision", "fp16", "16", "true"},
     {"trainer.precision", "bf16", "16-mixed", "null"},
     {"trainer.precision", "fp16", "16-mixed", "true"},
     {"trainer.precision", "bf16", "32", "null"},
     {"trainer.precision", "fp16", "32", "null"},
     {"trainer.precision", "bf16", "32-true", "null"},
     {"trainer.precision", "fp16", "32-true", "null"},
     {"model.fp8", "fp8-format", "true", "hybrid"},
     {"model.fp8", "fp8-format", "false", "null"},
     {"model.encoder_seq_length", "seq-length"},
     {"model.virtual_pipeline_model_parallel_size", "num-virtual-stages-per-pipeline-rank"},
     {"model.activations_checkpoint_granularity", "recompute-granularity"},
     {"model.activations_checkpoint_method", "recompute-method"},
     {"model.activations_checkpoint_num_layers", "recompute-num-layers"},
     {"model.ub_tp_comm_overlap", "tp-comm-overlap"},
     // Three products, whatever function gates them.
     {"model.activation", "swiglu", "swiglu", "true"},
     {"model.activation", "swiglu", "fast-swiglu", "true"},
     {"model.activation", "swiglu", "geglu", "true"},
     {"model.activation", "swiglu", "fast-geglu", "true"},
     {"model.activation", "swiglu", "reglu", "true"},
     {"model.activation", "swiglu", "fast-reglu", "true"},
     {"model.activation", "swiglu", "gelu", "null"},
     {"model.activation", "swiglu", "approx-gelu", "null"},
     {"model.activation", "swiglu", "squared-relu", "null"},
     {"model.bias", "disable-bias-linear", "false", "true"},
     {"model.bias", "disable-bias-linear", "true", "null"},
     {"model.share_embeddings_and_output_weights", "untie-embeddings-and-output-weights", "false",
      "true"},
     {"model.share_embeddings_and_output_weights", "untie-embeddings-and-output-weights", "true",
      "null"},
     {"model.normalization", "normalization", "rmsnorm", "RMSNorm"},
     {"model.normalization", "normalization", "layernorm1p", "LayerNorm"},
     {"model.normalization", "normalization", "layernorm", "LayerNorm"},
     {"model.normalization", "normalization", "low_precision_layernorm", "LayerNorm"},
     {"model.num_query_groups", "num-query-groups"},
     {"model.num_query_groups", "group-query-attention", "", "true"},
     {"model.tokenizer.type", "tokenizer-type"},
     {"model.tokenizer.model", "tokenizer-model"},
     {"model.num_moe_experts", "num-experts"},
     {"model.optim.name", "use-distributed-optimizer", "distributed_fused_adam", "true"},
     {"model.optim.name", "use-distributed-optimizer", "mcore_distributed_optim", "true"},
     {"model.optim.name", "use-distributed-optimizer", "megatron_fused_adam", "null"},
     {"model.optim.name", "use-distributed-optimizer", "fused_adam", "null"},
     {"model.optim.name", "use-distributed-optimizer", "adamw", "null"},
     {"model.optim.name", "use-distributed-optimizer", "adam", "null"},
     {"model.optim.overlap_grad_sync", "overlap-grad-reduce"},
     {"model.optim.overlap_param_sync", "overlap-param-gather"},
     {"model.optim.grad_sync_dtype", "grad-reduce-in-bf16", "bf16", "true"},
     {"model.optim.grad_sync_dtype", "grad-reduce-in-bf16", "bfloat16", "true"},
     {"model.optim.grad_sync_dtype", "grad-reduce-in-bf16", "fp32", "null"},
     {"model.optim.grad_sync_dtype", "grad-reduce-in-bf16", "float32", "null"}});

constexpr auto nemo_passed_over = std::to_array<std::string_view>({"run.",
                                                                   "exp_manager.",
                                                                   "defaults",
                                                                   "hydra",
                                                                   "name",
                                                                   "restore_from",
                                                                   "trainer.",
                                                                   "training.",
                                                                   "inference.",
                                                                   "prompt_learning",
                                                                   "model.tokenizer",
                                                                   "tokenizer-",
                                                                   "model.data",
                                                                   "model.optim.",
                                                                   "model.nsys",
                                                                   "model.native_amp",
                                                                   "model.hidden_dropout",
                                                                   "model.attention_dropout",
                                                                   "model.ffn_dropout",
                                                                   "model.init_method",
                                                                   "model.use_scaled_init",
                                                                   "model.layernorm_epsilon",
                                                                   "model.seed",
                                                                   "model.resume_",
                                                                   "model.apply_",
                                                                   "model.persist_",
                                                                   "model.headscale",
                                                                   "model.openai_gelu",
                                                                   "model.transformer_block_type",
                                                                   "model.do_layer_norm",
                                                                   "model.pre_process",
                                                                   "model.post_process",
                                                                   "model.hysteresis",
                                                                   "model.fp32_residual",
                                                                   "model.fp16_lm",
                                                                   "model.grad_",
                                                                   "model.megatron_amp",
                                                                   "model.gradient_",
                                                                   "model.mcore_gpt",
                                                                   "model.rotary_",
                                                                   "model.attention_type",
                                                                   "model.normalize_attention",
                                                                   "model.masked_softmax",
                                                                   "model.bias_",
                                                                   "model.use_cpu",
                                                                   "model.onnx",
                                                                   "model.sync_batch",
                                                                   "model.num_layers_per",
                                                                   "model.transformer_engine",
                                                                   "model.fp8_",
                                                                   "model.use_emha",
                                                                   "model.ub_",
                                                                   "model.use_flash",
                                                                   "model.use_te",
                                                                   "model.gc_",
                                                                   "model.name",
                                                                   "model.embedding",
                                                                   "model.log_",
                                                                   "model.reduce_",
                                                                   "model.dist_",
                                                                   "model.defer_",
                                                                   "model.nccl_",
                                                                   "model.batch_p2p",
                                                                   "model.overlap_p2p"});

std::string dashed(std::string_view key) {
  std::string flag(key.substr(key.find('.') + 1));
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

bool is_flag(const std::string& flag) {
  return std::any_of(megatron_keys.begin(), megatron_keys.end(),
                     [&](const LaunchKey& each) { return each.key == flag; });
}

LaunchFile nemo_flags(const LaunchFile& file) {
  LaunchFile flags = renamed(file, nemo_names);
  const auto rename = [](std::string& key) {
    const std::string flag = dashed(key);
    if (key.starts_with("model.") && is_flag(flag)) key = flag;
  };
  for (LaunchSetting& setting : flags.settings) rename(setting.key);
  for (LaunchUnknown& unknown : flags.not_understood) rename(unknown.key);
  return flags;
}

}  // namespace

const LaunchStack nemo_stack{
    .name = "nemo",
    .stack = "nemo",
    .version = "NVIDIA/NeMo 1, megatron_gpt_config.yaml",
    .keys = megatron_keys,
    .passed_over = nemo_passed_over,
    .is_of =
        [](const LaunchFile& file) {
          return has_key(file, "trainer.") && has_key(file, "model.micro_batch_size");
        },
    .to_training = [](const LaunchValues& values,
                      const LaunchSize& size) { return megatron_stack.to_training(values, size); },
    .as_flags = nemo_flags,
};

}  // namespace launch
}  // namespace tofn
