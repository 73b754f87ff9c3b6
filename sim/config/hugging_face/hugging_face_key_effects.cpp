#include "sim/config/hugging_face/hugging_face_key_effects.hpp"

#include <algorithm>
#include <array>

namespace tofn {
inline namespace config {
namespace {

struct KeyRow {
  KeyEffect effect;
  std::string_view names;
};

/// Effects of keys; the first row that matches a name applies. Add names and patterns here.
constexpr std::array key_rows{
    // Names, versions, tokens and number formats.
    KeyRow{
        KeyEffect::Nothing,
        "_attn_implementation* _commit_hash _flash* _from_model_config _name_or_path "
        "architectures auto_map is_composition is_decoder model_type *_version "
        "task_specific_params "
        "tokenizer_* *_token_id *_token_ids *_token_index bos_token eos_token pad_token unk_token "
        "id2label label2id prefix verbose unsloth_* quantization n_special predict_special_tokens "
        "org_vocab_size bf16 fp16 fp32 use_bfloat16 *_dtype *_in_fp32 fp32_residual_connection"},
    // Constants of norms, rotations, routers and losses, initial values, dropout.
    KeyRow{
        KeyEffect::Nothing,
        "*initializer_range init_config init_device init_std rescale_prenorm_residual "
        "*dropout* *_pdrop layerdrop *_eps *_epsilon norm_before_gate norm_head norm_softmax "
        "norm_topk_prob norm_type qk_norm_type post_norm post_layer_norm rms_norm rmsnorm "
        "use_rmsnorm mamba_rms_norm mamba_norm_before_gate layer_norm_elementwise_affine "
        "do_layer_norm_before apply_residual_connection_post_layernorm num_ln_in_parallel_attn "
        "layernorm_*_beta *_loss_* aux_loss_alpha router_*_coef seq_aux *jitter* scoring_func "
        "score_function topk_method moe_capacity moe_normalize_expert_weights "
        "moe_router_enable_expert_bias moe_router_activation_func moe_renormalize "
        "moe_use_aux_free use_routing_bias enable_moe_block multi_gate uniform_expert_assignment "
        "moe_layer_end_index attention_*multiplier embedding_multiplier key_multiplier "
        "lm_head_multiplier mlp_multipliers residual_multiplier ssm_*multiplier* "
        "routed_scaling_factor moe_router_topk_scaling_factor *_scale *_scaling scale_* "
        "attn_temperature_tuning softmax_in_fp32 query_pre_attn_scalar clip_qkv swiglu_limit "
        "swiglu_alpha use_gemma_norm use_grouped_topk use_expert_bias dim_model_base "
        "apply_query_key_layer_scaling"},
    KeyRow{KeyEffect::Size, "*head_dim"},
    KeyRow{KeyEffect::Nothing,
           "rope_* original_rope no_rope_layer* indexer_rope_interleave mla_use_nope *rotary* "
           "original_max_position_embeddings position_embedding_type learned_pos_emb offset_alibi "
           "alibi_bias_max use_dynamic_ntk use_logn_attn initial_context_length n_ctx "
           "embedding_fraction"},
    // Names of activation functions, and how kernels run.
    KeyRow{
        KeyEffect::Nothing,
        "hidden_act *_hidden_act hidden_activation activation_function mlp_type fc_type ffn_type "
        "*attn_impl* *attention_impl* attn_type attn_type_list attn_uses_sequence_id use_flash* "
        "flash_* fused_* *_fusion *_kernels skip_bias_add* use_mambapy slow_but_exact onnx_safe "
        "reorder_and_upcast_attn multi_query_attention no_bias projectors_bias "
        "use_bidirectional_attention prefix_lm ep_size pretraining_tp pad_vocab_size_multiple "
        "expand mamba_expand mamba_d_ssm mamba_dt_rank mamba_use_mlp time_step_* "
        "sliding_window_size vocab_size_per_layer_input pre_seq_len num_image_tokens"},
    // Heads that are not trained here, and settings of text generation.
    KeyRow{KeyEffect::Nothing,
           "pooler_* summary_* num_labels problem_type finetuning_task add_classification_head "
           "use_cache* cache_implementation num_logits_to_keep max_*length max_new_tokens "
           "max_model_len min_length num_beams num_beam_groups num_return_sequences do_sample "
           "early_stopping temperature top_k top_p typical_p *_penalty *no_repeat_ngram_size "
           "chunk_size_feed_forward output_attentions output_hidden_states output_past "
           "output_router_logits output_scores return_dict* torchscript pruned_heads "
           "*suppress_tokens bad_words_ids remove_invalid_values tf_legacy_loss"},
    // Images and audio are not part of the text model.
    KeyRow{KeyEffect::Beside, "vision_* visual* image_* video_* audio_* mm_* *_mm_* vit_*"},
    KeyRow{KeyEffect::Predictions, "*mtp* *nextn*"},
    // These add a few thousand parameters at most.
    KeyRow{KeyEffect::Unknown, "*bias* *norm* *sink* *softcap*"},
    KeyRow{KeyEffect::Kind,
           "*attention* *attn* *conv* *cross* *_gate use_gate* gated_* is_encoder_decoder *latent* "
           "*layer_type* *layers_type* *block_type* *layers_block* *linear* *mamba* *mixer* *mla* "
           "*pattern* *sparse* *ssm* *wide*"},
    KeyRow{KeyEffect::Size,
           "*size* *_dim *_dims *_width *_widths *_rank *_ranks *channel* *head *heads* *layer* "
           "*expert* *_group *_groups *kernel* *_state *_states *block* *chunk* *stride* *window* "
           "*_ratio *_ratios *_mult *_multiplier *topk* *top_k* index_* indexer_* num_* n_* d_*"}};

bool matches(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  for (std::size_t i = star; i <= name.size(); ++i)
    if (matches(name.substr(i), pattern.substr(star + 1))) return true;
  return false;
}

}  // namespace

bool is_among(std::string_view name, std::string_view names) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (matches(name, names.substr(0, end))) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

KeyEffect effect_of_key(std::string_view name) {
  const auto* row = std::ranges::find_if(
      key_rows, [&](const KeyRow& each) { return is_among(name, each.names); });
  return row == key_rows.end() ? KeyEffect::Unknown : row->effect;
}

}  // namespace config
}  // namespace tofn
