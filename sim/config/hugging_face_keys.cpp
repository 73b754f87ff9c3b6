#include "sim/config/hugging_face_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_model.hpp"

namespace tofn {
inline namespace config {
namespace {

/// Keys that change neither parameters nor the work of a step: names, tokens, initial values,
/// constants of norms, rotations and routers, and what is of inference alone.
constexpr std::array<std::string_view, 201> inert{"A_initializer_range",
                                                  "_attn_implementation",
                                                  "_name_or_path",
                                                  "activation_dropout",
                                                  "activation_function",
                                                  "alibi_bias_max",
                                                  "apply_query_key_layer_scaling",
                                                  "apply_residual_connection_post_layernorm",
                                                  "architectures",
                                                  "attention_in_multiplier",
                                                  "attention_multiplier",
                                                  "attention_out_multiplier",
                                                  "attention_softmax_in_fp32",
                                                  "attn_dropout_prob",
                                                  "attn_impl",
                                                  "attn_implementation",
                                                  "attn_rotary_emb",
                                                  "attn_type",
                                                  "attn_type_list",
                                                  "attn_uses_sequence_id",
                                                  "auto_map",
                                                  "aux_loss_alpha",
                                                  "bf16",
                                                  "bias_dropout_fusion",
                                                  "bos_token_id",
                                                  "cache_implementation",
                                                  "classifier_dropout",
                                                  "clip_qkv",
                                                  "dim_model_base",
                                                  "do_layer_norm_before",
                                                  "emb_dropout_prob",
                                                  "emb_pdrop",
                                                  "embd_pdrop",
                                                  "embedding_dropout",
                                                  "embedding_fraction",
                                                  "embedding_multiplier",
                                                  "enable_moe_block",
                                                  "eos_token_id",
                                                  "ep_size",
                                                  "expand",
                                                  "fc_type",
                                                  "ffn_type",
                                                  "fp16",
                                                  "fp32",
                                                  "fp32_residual_connection",
                                                  "hidden_act",
                                                  "hidden_activation",
                                                  "image_token_id",
                                                  "image_token_index",
                                                  "init_config",
                                                  "init_device",
                                                  "init_std",
                                                  "initial_context_length",
                                                  "initializer_range",
                                                  "input_jitter_noise",
                                                  "is_composition",
                                                  "is_decoder",
                                                  "key_multiplier",
                                                  "layer_norm_elementwise_affine",
                                                  "layer_norm_eps",
                                                  "layer_norm_epsilon",
                                                  "layerdrop",
                                                  "layernorm_epsilon",
                                                  "layernorm_full_attention_beta",
                                                  "layernorm_linear_attention_beta",
                                                  "layernorm_mlp_beta",
                                                  "learned_pos_emb",
                                                  "lm_head_multiplier",
                                                  "logit_scale",
                                                  "logits_scaling",
                                                  "mamba_d_ssm",
                                                  "mamba_dt_rank",
                                                  "mamba_expand",
                                                  "mamba_hidden_act",
                                                  "mamba_norm_before_gate",
                                                  "mamba_rms_norm",
                                                  "mamba_ssm_cache_dtype",
                                                  "mamba_ssm_dtype",
                                                  "mamba_use_mlp",
                                                  "masked_softmax_fusion",
                                                  "max_length",
                                                  "mixer_rms_eps",
                                                  "mlp_hidden_act",
                                                  "mlp_multipliers",
                                                  "model_type",
                                                  "moe_capacity",
                                                  "moe_jitter_eps",
                                                  "moe_layer_end_index",
                                                  "moe_loss_weight",
                                                  "moe_normalize_expert_weights",
                                                  "moe_router_enable_expert_bias",
                                                  "moe_use_aux_free",
                                                  "multi_gate",
                                                  "multi_query_attention",
                                                  "n_ctx",
                                                  "no_bias",
                                                  "no_rope_layer_interval",
                                                  "no_rope_layers",
                                                  "norm_before_gate",
                                                  "norm_eps",
                                                  "norm_epsilon",
                                                  "norm_head",
                                                  "norm_softmax",
                                                  "norm_topk_prob",
                                                  "norm_type",
                                                  "num_image_tokens",
                                                  "num_logits_to_keep",
                                                  "offset_alibi",
                                                  "onnx_safe",
                                                  "original_max_position_embeddings",
                                                  "original_rope",
                                                  "output_dropout",
                                                  "output_router_logits",
                                                  "pad_token_id",
                                                  "partial_rotary_factor",
                                                  "position_embedding_type",
                                                  "post_layer_norm",
                                                  "post_norm",
                                                  "pre_seq_len",
                                                  "prefix",
                                                  "prefix_lm",
                                                  "pretraining_tp",
                                                  "projectors_bias",
                                                  "qk_norm_type",
                                                  "query_pre_attn_scalar",
                                                  "reorder_and_upcast_attn",
                                                  "rescale_prenorm_residual",
                                                  "residual_dropout",
                                                  "residual_in_fp32",
                                                  "residual_multiplier",
                                                  "rms_norm",
                                                  "rms_norm_eps",
                                                  "rmsnorm",
                                                  "rope_interleave",
                                                  "rope_local_base_freq",
                                                  "rope_parameters",
                                                  "rope_ratio",
                                                  "rope_scaling",
                                                  "rope_theta",
                                                  "rotary",
                                                  "rotary_dim",
                                                  "rotary_emb_base",
                                                  "rotary_pct",
                                                  "routed_scaling_factor",
                                                  "router_aux_loss_coef",
                                                  "router_dtype",
                                                  "router_jitter_noise",
                                                  "scale_attention_softmax_in_fp32",
                                                  "scale_attn_by_inverse_layer_idx",
                                                  "scale_attn_weights",
                                                  "scale_depth",
                                                  "scale_emb",
                                                  "score_function",
                                                  "scoring_func",
                                                  "seq_aux",
                                                  "skip_bias_add",
                                                  "skip_bias_add_qkv",
                                                  "sliding_window_size",
                                                  "slow_but_exact",
                                                  "softmax_scale",
                                                  "ssm_in_multiplier",
                                                  "ssm_multipliers",
                                                  "ssm_out_multiplier",
                                                  "summary_activation",
                                                  "summary_first_dropout",
                                                  "summary_proj_to_labels",
                                                  "summary_type",
                                                  "summary_use_proj",
                                                  "swiglu_limit",
                                                  "task_specific_params",
                                                  "time_step_floor",
                                                  "time_step_init_scheme",
                                                  "time_step_limit",
                                                  "time_step_max",
                                                  "time_step_min",
                                                  "time_step_rank",
                                                  "time_step_scale",
                                                  "tokenizer_class",
                                                  "tokenizer_name",
                                                  "tokenizer_type",
                                                  "topk_method",
                                                  "transformers_version",
                                                  "uniform_expert_assignment",
                                                  "unk_token_id",
                                                  "use_bidirectional_attention",
                                                  "use_cache",
                                                  "use_dynamic_ntk",
                                                  "use_flash_attn",
                                                  "use_logn_attn",
                                                  "use_mamba_kernels",
                                                  "use_mambapy",
                                                  "use_rmsnorm",
                                                  "use_routing_bias",
                                                  "verbose",
                                                  "video_token_id",
                                                  "vision_end_token_id",
                                                  "vision_start_token_id",
                                                  "vision_token_id",
                                                  "vocab_size_per_layer_input",
                                                  "z_loss_coefficient",
                                                  "z_loss_weight"};

bool is_null(const YamlNode& node) {
  return !node.is_scalar() && !node.is_list() && !node.is_map();
}

/// A switch that is off, or nothing.
bool is_off(const YamlNode& node) {
  if (is_null(node)) return true;
  std::string text;
  if (node.is_scalar()) node.read(text);
  return text == "false";
}

}  // namespace

HuggingFaceKeys::HuggingFaceKeys(const YamlNode& root) : root_(root), entries_(root.entries()) {
  const auto named = [](std::string_view name) {
    return [name](const auto& entry) { return entry.first == name; };
  };
  // MPT and DBRX state those of a layer's halves in maps of their own.
  for (const std::string_view name : {"attn_config", "ffn_config"}) {
    const auto half = std::find_if(entries_.begin(), entries_.end(), named(name));
    if (half == entries_.end() || !half->second.is_map()) continue;
    const auto inner = half->second.entries();
    entries_.erase(half);
    for (const auto& entry : inner)
      if (std::none_of(entries_.begin(), entries_.end(), named(entry.first)))
        entries_.push_back(entry);
  }
  const auto text = std::find_if(entries_.begin(), entries_.end(), named("text_config"));
  has_text_config_ = text != entries_.end() && text->second.is_map();
  if (!has_text_config_) return;
  auto of_text = text->second.entries();
  // What stands beside it for all parts.
  for (const std::string_view name :
       {"dtype", "model_type", "quantization_config", "sequence_length", "tie_word_embeddings",
        "torch_dtype", "transformers_version"}) {
    const auto outer = std::find_if(entries_.begin(), entries_.end(), named(name));
    if (outer == entries_.end() || std::any_of(of_text.begin(), of_text.end(), named(name)))
      continue;
    of_text.push_back(*outer);
  }
  entries_ = std::move(of_text);
}

std::optional<YamlNode> HuggingFaceKeys::find(Names names) {
  std::optional<YamlNode> found;
  for (const std::string_view name : names) {
    asked_.emplace(name);
    const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const auto& each) { return each.first == name; });
    if (entry == entries_.end() || is_null(entry->second)) continue;
    if (found && found->is_scalar()) {
      std::string first;
      std::string second;
      found->read(first);
      entry->second.read(second);
      if (first != second)
        entry->second.fail(fmt::format("differs from {}, which is {}", found->key(), first));
    }
    if (!found) found = entry->second;
  }
  return found;
}

YamlNode HuggingFaceKeys::needed(Names names) {
  auto node = find(names);
  if (!node) fail(fmt::format("missing key '{}'", fmt::join(names, "' or '")));
  return *std::move(node);
}

bool HuggingFaceKeys::is_on(std::string_view name, bool usual) {
  if (const auto node = find({name})) node->read(usual);
  return usual;
}

int HuggingFaceKeys::dimension(Names names) {
  int value = 0;
  read_dimension(needed(names), value);
  return value;
}

std::optional<int> HuggingFaceKeys::optional_dimension(Names names) {
  if (!find(names)) return {};
  return dimension(names);
}

int HuggingFaceKeys::count(Names names, int usual) {
  const auto node = find(names);
  if (!node) return usual;
  node->read(usual);
  if (usual < 0) node->fail(fmt::format("must not be negative, got {}", usual));
  return usual;
}

double HuggingFaceKeys::number(std::string_view name) {
  double value = 0;
  if (const auto node = find({name})) node->read(value);
  return value;
}

std::vector<std::string> HuggingFaceKeys::unread() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : entries_) {
    const bool may_act = std::find(inert.begin(), inert.end(), name) == inert.end();
    if (may_act && !is_off(node) && !asked_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace config
}  // namespace tofn
