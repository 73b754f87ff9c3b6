#include "sim/config/hugging_face_architectures.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/config/hugging_face_hybrid.hpp"
#include "sim/config/hugging_face_keys.hpp"
#include "sim/core/error_with_lines.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr Biases of_all{.query_key_value = true, .products = true, .norms = true};
constexpr Biases of_products{.query_key_value = true, .products = true};

/// github.com/huggingface/transformers, models/*/configuration_*.py and modeling_*.py. Add one
/// here.
constexpr std::array architectures{
    HuggingFaceArchitecture{
        .type = "apertus", .gated = false, .query_key_norms = true, .needs_groups = true},
    HuggingFaceArchitecture{.type = "baichuan"},
    HuggingFaceArchitecture{.type = "bailing_moe",
                            .needs_head_size = true,
                            .needs_groups = true,
                            .needs_experts = true},
    HuggingFaceArchitecture{.type = "bamba",
                            .needs_groups = true,
                            .layers = LayerKinds::Pattern,
                            .hybrid = {indexed_pattern, read_state_space}},
    HuggingFaceArchitecture{.type = "bert",
                            .gated = false,
                            .positions = TokenPositions::Learnt,
                            .biases = of_all,
                            .tied = true,
                            .is_encoder = true},
    HuggingFaceArchitecture{.type = "bloom",
                            .gated = false,
                            .positions = TokenPositions::Neither,
                            .biases = of_all,
                            .tied = true,
                            .has_default_width = true,
                            .usual = {.limit = 2048}},  // arXiv 2211.05100, table 3
    HuggingFaceArchitecture{
        .type = "chatglm", .biases = {.query_key_value = true}, .needs_groups = true},
    HuggingFaceArchitecture{.type = "cohere", .norms = 1, .tied = true, .is_parallel = true},
    HuggingFaceArchitecture{
        .type = "cohere2", .norms = 1, .tied = true, .is_parallel = true, .full_every = 4},
    HuggingFaceArchitecture{.type = "dbrx", .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "deepseek", .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "deepseek_v2", .has_latent = true},
    HuggingFaceArchitecture{.type = "deepseek_v3", .needs_experts = true, .has_latent = true},
    HuggingFaceArchitecture{.type = "dots1", .query_key_norms = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "ernie4_5", .tied = true, .needs_groups = true},
    HuggingFaceArchitecture{
        .type = "ernie4_5_moe", .tied = true, .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "exaone", .needs_groups = true},
    HuggingFaceArchitecture{.type = "falcon",
                            .gated = false,
                            .biases = {.norms = true},
                            .tied = true,
                            .has_default_width = true,
                            .is_parallel = true,
                            .usual = {.limit = 2048}},
    HuggingFaceArchitecture{.type = "falcon_h1",
                            .needs_groups = true,
                            .layers = LayerKinds::Pattern,
                            .hybrid = {parallel_pattern, read_state_space}},
    HuggingFaceArchitecture{.type = "falcon_mamba",
                            .positions = TokenPositions::Neither,
                            .layers = LayerKinds::StateSpace,
                            .hybrid = {nullptr, read_first_state_space}},
    HuggingFaceArchitecture{.type = "gemma",
                            .tied = true,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .usual_text = {.limit = 8192, .head_size = 256}},
    HuggingFaceArchitecture{.type = "gemma2",
                            .norms = 4,
                            .tied = true,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .window_share = 0.5},
    HuggingFaceArchitecture{
        .type = "gemma3",
        .norms = 4,
        .query_key_norms = true,
        .tied = true,
        .full_every = 6,
        .usual =
            {.limit = 131072, .heads = 8, .groups = 4, .head_size = 256, .vocabulary = 262208}},
    HuggingFaceArchitecture{.type = "gemma4",
                            .norms = 4,
                            .query_key_norms = true,
                            .tied = true,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .full_every = 6,
                            .dense_beside_experts = true,
                            .layers = LayerKinds::TwoWidths},
    HuggingFaceArchitecture{.type = "glm",
                            .biases = {.query_key_value = true},
                            .needs_head_size = true,
                            .needs_groups = true},
    HuggingFaceArchitecture{.type = "glm4",
                            .biases = {.query_key_value = true},
                            .norms = 4,
                            .needs_head_size = true,
                            .needs_groups = true},
    HuggingFaceArchitecture{.type = "glm4_moe",
                            .biases = {.query_key_value = true},
                            .needs_head_size = true,
                            .needs_groups = true,
                            .needs_experts = true},
    HuggingFaceArchitecture{.type = "gpt2",
                            .gated = false,
                            .positions = TokenPositions::Learnt,
                            .biases = of_all,
                            .tied = true,
                            .has_default_width = true},
    HuggingFaceArchitecture{.type = "gpt_bigcode",
                            .gated = false,
                            .positions = TokenPositions::Learnt,
                            .biases = of_all,
                            .tied = true,
                            .has_default_width = true},
    HuggingFaceArchitecture{
        .type = "gpt_neox", .gated = false, .biases = of_all, .is_parallel = true},
    HuggingFaceArchitecture{.type = "gpt_oss",
                            .biases = of_products,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .needs_experts = true,
                            .window_share = 0.5},
    HuggingFaceArchitecture{.type = "gptj",
                            .gated = false,
                            .biases = {.norms = true},
                            .norms = 1,
                            .has_default_width = true,
                            .is_parallel = true,
                            .output_biases = true},
    HuggingFaceArchitecture{.type = "granite"},
    HuggingFaceArchitecture{.type = "granitemoe", .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "granitemoehybrid",
                            .positions = TokenPositions::Neither,
                            .needs_groups = true,
                            .layers = LayerKinds::Pattern,
                            .hybrid = {typed_pattern, read_state_space}},
    HuggingFaceArchitecture{
        .type = "hunyuan_v1_dense", .query_key_norms = true, .needs_groups = true},
    HuggingFaceArchitecture{.type = "internlm2", .needs_groups = true},
    HuggingFaceArchitecture{.type = "jamba",
                            .positions = TokenPositions::Neither,
                            .needs_groups = true,
                            .layers = LayerKinds::Pattern,
                            .hybrid = {periodic_pattern, read_first_state_space}},
    HuggingFaceArchitecture{.type = "llama",
                            .usual_text = {.layers = 32,
                                           .hidden = 4096,
                                           .width = 11008,
                                           .limit = 2048,
                                           .heads = 32,
                                           .vocabulary = 32000}},
    HuggingFaceArchitecture{.type = "llama4",
                            .bare_query_key_norms = true,
                            .needs_groups = true,
                            .needs_experts = true,
                            .shared_experts = 1},
    HuggingFaceArchitecture{.type = "mamba",
                            .positions = TokenPositions::Neither,
                            .layers = LayerKinds::StateSpace,
                            .hybrid = {nullptr, read_first_state_space}},
    HuggingFaceArchitecture{.type = "mamba2",
                            .positions = TokenPositions::Neither,
                            .layers = LayerKinds::StateSpace,
                            .hybrid = {nullptr, read_state_space}},
    HuggingFaceArchitecture{.type = "minicpm", .tied = true},
    HuggingFaceArchitecture{
        .type = "minimax_m2", .needs_head_size = true, .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "mistral",
                            .needs_groups = true,
                            .window_share = 1,
                            .usual_text = {.layers = 32,
                                           .hidden = 4096,
                                           .width = 14336,
                                           .limit = 131072,
                                           .heads = 32,
                                           .groups = 8,
                                           .vocabulary = 32000}},
    HuggingFaceArchitecture{
        .type = "mixtral", .needs_groups = true, .needs_experts = true, .window_share = 1},
    HuggingFaceArchitecture{.type = "mpt",
                            .gated = false,
                            .positions = TokenPositions::Neither,
                            .tied = true,
                            .has_default_width = true},
    HuggingFaceArchitecture{.type = "nemotron-nas", .layers = LayerKinds::Blocks},
    HuggingFaceArchitecture{.type = "nemotron",
                            .gated = false,
                            .biases = {.norms = true},
                            .needs_groups = true},
    HuggingFaceArchitecture{.type = "nemotron_h",
                            .gated = false,
                            .positions = TokenPositions::Neither,
                            .needs_groups = true,
                            .layers = LayerKinds::Pattern,
                            .hybrid = {stated_pattern, read_state_space}},
    HuggingFaceArchitecture{.type = "olmo"},
    HuggingFaceArchitecture{.type = "olmo2", .query_key_norms = true},
    HuggingFaceArchitecture{.type = "olmo3", .query_key_norms = true, .full_every = 4},
    HuggingFaceArchitecture{.type = "olmoe", .query_key_norms = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "opt",
                            .gated = false,
                            .positions = TokenPositions::Learnt,
                            .biases = of_all,
                            .bias_key = "enable_bias",
                            .tied = true,
                            .extra_positions = 2},
    HuggingFaceArchitecture{.type = "orion", .biases = {.norms = true}},
    HuggingFaceArchitecture{.type = "phi",
                            .gated = false,
                            .biases = of_all,
                            .norms = 1,
                            .has_default_width = true,
                            .is_parallel = true,
                            .output_biases = true},
    HuggingFaceArchitecture{.type = "phi3", .window_share = 1},
    HuggingFaceArchitecture{
        .type = "phimoe", .biases = {.norms = true}, .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{
        .type = "qwen", .biases = {.query_key_value = true}, .has_width_of_two = true},
    HuggingFaceArchitecture{
        .type = "qwen2", .biases = {.query_key_value = true}, .needs_groups = true},
    HuggingFaceArchitecture{.type = "qwen2_moe",
                            .biases = {.query_key_value = true},
                            .needs_groups = true,
                            .needs_experts = true},
    HuggingFaceArchitecture{
        .type = "qwen3", .query_key_norms = true, .needs_head_size = true, .needs_groups = true},
    HuggingFaceArchitecture{.type = "qwen3_5",
                            .query_key_norms = true,
                            .output_gate = true,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .layers = LayerKinds::Pattern,
                            .hybrid = {typed_pattern, read_delta_net}},
    HuggingFaceArchitecture{
        .type = "qwen3_moe", .query_key_norms = true, .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "qwen3_next",
                            .query_key_norms = true,
                            .output_gate = true,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .needs_experts = true,
                            .layers = LayerKinds::Pattern,
                            .hybrid = {typed_pattern, read_delta_net}},
    HuggingFaceArchitecture{.type = "roberta",
                            .gated = false,
                            .positions = TokenPositions::Learnt,
                            .biases = of_all,
                            .tied = true,
                            .extra_positions = 2,
                            .counts_extra_positions = true,
                            .is_encoder = true},
    HuggingFaceArchitecture{.type = "seed_oss",
                            .biases = {.query_key_value = true},
                            .needs_head_size = true,
                            .needs_groups = true},
    HuggingFaceArchitecture{.type = "smollm3", .tied = true, .needs_groups = true},
    HuggingFaceArchitecture{.type = "stablelm", .biases = {.norms = true}, .needs_groups = true},
    HuggingFaceArchitecture{.type = "starcoder2",
                            .gated = false,
                            .biases = of_all,
                            .bias_key = "use_bias",
                            .tied = true,
                            .needs_groups = true,
                            .window_share = 1}};

/// Other names of the same layers: of a file's `text_config`, or of what is seen beside the text.
constexpr auto same_layers = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"bailing_moe_v2", "bailing_moe"},
     {"camembert", "roberta"},
     {"deepseek_v32", "deepseek_v3"},
     {"gemma3_text", "gemma3"},
     {"gemma4_text", "gemma4"},
     {"glm4v", "glm4"},
     {"glm4v_moe", "glm4_moe"},
     {"glm4v_moe_text", "glm4_moe"},
     {"glm4v_text", "glm4"},
     {"glm4_moe_lite", "deepseek_v3"},
     {"glm_moe_dsa", "deepseek_v3"},
     {"kimi_k2", "deepseek_v3"},
     {"llama4_text", "llama4"},
     {"mimo", "qwen2"},
     {"ministral3", "mistral"},
     {"phi-msft", "phi"},
     {"qwen2_5_vl", "qwen2"},
     {"qwen2_vl", "qwen2"},
     {"qwen2_vl_text", "qwen2"},
     {"qwen2_5_vl_text", "qwen2"},
     {"qwen3_5_moe", "qwen3_next"},
     {"qwen3_5_moe_text", "qwen3_next"},
     {"qwen3_5_text", "qwen3_5"},
     {"qwen3_vl", "qwen3"},
     {"qwen3_vl_moe", "qwen3_moe"},
     {"qwen3_vl_moe_text", "qwen3_moe"},
     {"qwen3_vl_text", "qwen3"},
     {"xlm-roberta", "roberta"}});

/// `model_type` is one that nobody knows here: a file of configs/models as far as its keys go, `?`
/// where they do not.
std::string begun_model(HuggingFaceKeys& keys, const std::string& type) {
  const auto stated = [&](HuggingFaceKeys::Names names) -> std::string {
    const auto value = keys.optional_dimension(names);
    return value ? std::to_string(*value) : "?";
  };
  const std::string hidden = stated({"hidden_size", "n_embd", "d_model"});
  const std::string heads = stated({"num_attention_heads", "n_head"});
  const std::string groups = stated({"num_key_value_heads"});
  const std::string width =
      stated({"moe_intermediate_size"});  // of an expert, where there are some
  std::string text = fmt::format(
      R"(format: 2
name: {0}
title: {0}
source: config.json of a model of the type {0}
sequence_length: 4096
precision: bf16
parts:
  - vocabulary: {{size: {1}, hidden: {2}, tied: {3}, biases: false}}
  - transformer:
      layers: {4}
      hidden: {2}
      feed_forward: {5}
      heads: {6}
      key_value_heads: {7}
)",
      type, stated({"vocab_size"}), hidden, keys.is_on("tie_word_embeddings"),
      stated({"num_hidden_layers", "n_layer"}),
      width == "?" ? stated({"intermediate_size"}) : width, heads, groups);
  const auto add = [&](const char* key, HuggingFaceKeys::Names names) {
    if (const std::string value = stated(names); value != "?")
      text += fmt::format("      {}: {}\n", key, value);
  };
  add("head_size", {"head_dim"});
  add("experts", {"num_experts", "num_local_experts", "n_routed_experts"});
  add("experts_per_token", {"num_experts_per_tok"});
  add("shared_feed_forward", {"shared_expert_intermediate_size"});
  text += "      gated: true\n      rotary: true\n      biases: false\n";
  const auto unread = keys.unread();
  return "# A ? is not stated; gated, rotary and biases are guesses" +
         (unread.empty() ? ""
                         : fmt::format(", and nothing is made of {}", list_text(unread, "and"))) +
         ".\n" + text;
}

}  // namespace

const HuggingFaceArchitecture& architecture_of(HuggingFaceKeys& keys) {
  const YamlNode node = keys.needed({"model_type"});
  std::string type;
  node.read(type);
  std::string_view layers = type;
  std::vector<std::string> names;
  for (const auto& [name, of] : same_layers) {
    if (name == type) layers = of;
    names.emplace_back(name);
  }
  for (const HuggingFaceArchitecture& each : architectures) {
    if (each.type == layers) return each;
    names.emplace_back(each.type);
  }
  std::sort(names.begin(), names.end());
  throw InputErrorWithLines(node.location(), node.key(),
                            unknown_name("architecture", type, names) +
                                "; a model's own file of a dozen lines can tell of any transformer "
                                "(configs/README.md), begun here by what this one says:",
                            begun_model(keys, type));
}

}  // namespace config
}  // namespace tofn
