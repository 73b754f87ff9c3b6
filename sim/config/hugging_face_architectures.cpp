#include "sim/config/hugging_face_architectures.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr Biases of_all{.query_key_value = true, .products = true, .norms = true};
constexpr Biases of_products{.query_key_value = true, .products = true};

/// github.com/huggingface/transformers, models/*/configuration_*.py and modeling_*.py. Add one
/// here.
constexpr std::array architectures{
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
                            .default_limit = 2048},  // arXiv 2211.05100, table 3
    HuggingFaceArchitecture{.type = "cohere", .norms = 1, .tied = true, .is_parallel = true},
    HuggingFaceArchitecture{
        .type = "cohere2", .norms = 1, .tied = true, .is_parallel = true, .full_every = 4},
    HuggingFaceArchitecture{.type = "deepseek_v2", .has_latent = true},
    HuggingFaceArchitecture{.type = "deepseek_v3", .needs_experts = true, .has_latent = true},
    HuggingFaceArchitecture{.type = "falcon",
                            .gated = false,
                            .biases = {.norms = true},
                            .tied = true,
                            .has_default_width = true,
                            .is_parallel = true,
                            .default_limit = 2048},
    HuggingFaceArchitecture{
        .type = "gemma", .tied = true, .needs_head_size = true, .needs_groups = true},
    HuggingFaceArchitecture{.type = "gemma2",
                            .norms = 4,
                            .tied = true,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .window_share = 0.5},
    HuggingFaceArchitecture{.type = "gemma3",
                            .norms = 4,
                            .query_key_norms = true,
                            .tied = true,
                            .full_every = 6,
                            .default_limit = 131072,
                            .default_heads = 8,
                            .default_groups = 4,
                            .default_head_size = 256,
                            .default_vocabulary = 262208},
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
    HuggingFaceArchitecture{
        .type = "gpt_neox", .gated = false, .biases = of_all, .is_parallel = true},
    HuggingFaceArchitecture{.type = "gpt_oss",
                            .biases = of_products,
                            .needs_head_size = true,
                            .needs_groups = true,
                            .needs_experts = true,
                            .window_share = 0.5},
    HuggingFaceArchitecture{.type = "granite"},
    HuggingFaceArchitecture{.type = "llama"},
    HuggingFaceArchitecture{.type = "llama4",
                            .bare_query_key_norms = true,
                            .needs_groups = true,
                            .needs_experts = true,
                            .shared_experts = 1},
    HuggingFaceArchitecture{
        .type = "mamba2", .positions = TokenPositions::Neither, .layers = LayerKinds::StateSpace},
    HuggingFaceArchitecture{.type = "mistral", .needs_groups = true, .window_share = 1},
    HuggingFaceArchitecture{
        .type = "mixtral", .needs_groups = true, .needs_experts = true, .window_share = 1},
    HuggingFaceArchitecture{.type = "nemotron_h",
                            .gated = false,
                            .positions = TokenPositions::Neither,
                            .needs_groups = true,
                            .layers = LayerKinds::Pattern},
    HuggingFaceArchitecture{.type = "olmo2", .query_key_norms = true},
    HuggingFaceArchitecture{.type = "olmo3", .query_key_norms = true, .full_every = 4},
    HuggingFaceArchitecture{.type = "opt",
                            .gated = false,
                            .positions = TokenPositions::Learnt,
                            .biases = of_all,
                            .bias_key = "enable_bias",
                            .tied = true,
                            .extra_positions = 2},
    HuggingFaceArchitecture{.type = "phi",
                            .gated = false,
                            .biases = of_all,
                            .norms = 1,
                            .has_default_width = true,
                            .is_parallel = true,
                            .output_biases = true},
    HuggingFaceArchitecture{.type = "phi3", .window_share = 1},
    HuggingFaceArchitecture{
        .type = "qwen2", .biases = {.query_key_value = true}, .needs_groups = true},
    HuggingFaceArchitecture{.type = "qwen2_moe",
                            .biases = {.query_key_value = true},
                            .needs_groups = true,
                            .needs_experts = true},
    HuggingFaceArchitecture{
        .type = "qwen3", .query_key_norms = true, .needs_head_size = true, .needs_groups = true},
    HuggingFaceArchitecture{
        .type = "qwen3_moe", .query_key_norms = true, .needs_groups = true, .needs_experts = true},
    HuggingFaceArchitecture{.type = "smollm3", .tied = true, .needs_groups = true},
    HuggingFaceArchitecture{.type = "starcoder2",
                            .gated = false,
                            .biases = of_all,
                            .bias_key = "use_bias",
                            .tied = true,
                            .needs_groups = true,
                            .window_share = 1}};

/// Other names of the same layers: of a file's `text_config`, or of what is seen beside the text.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> same_layers{
    {{"gemma3_text", "gemma3"},
     {"kimi_k2", "deepseek_v3"},
     {"llama4_text", "llama4"},
     {"phi-msft", "phi"},
     {"qwen2_5_vl", "qwen2"},
     {"qwen2_5_vl_text", "qwen2"},
     {"qwen3_vl", "qwen3"},
     {"qwen3_vl_moe", "qwen3_moe"},
     {"qwen3_vl_moe_text", "qwen3_moe"},
     {"qwen3_vl_text", "qwen3"}}};

}  // namespace

const HuggingFaceArchitecture& architecture_named(const YamlNode& node) {
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
  node.fail(unknown_name("architecture", type, names) +
            "; a model in YAML can tell of any transformer (configs/models has examples)");
}

}  // namespace config
}  // namespace tofn
