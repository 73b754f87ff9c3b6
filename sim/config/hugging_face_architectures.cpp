#include "sim/config/hugging_face_architectures.hpp"

#include <array>
#include <string>
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
    Architecture{.type = "bert",
                 .gated = false,
                 .positions = TokenPositions::Learnt,
                 .biases = of_all,
                 .tied = true,
                 .is_encoder = true},
    Architecture{.type = "bloom",
                 .gated = false,
                 .positions = TokenPositions::Neither,
                 .biases = of_all,
                 .tied = true,
                 .has_usual_width = true,
                 .usual_limit = 2048},  // arXiv 2211.05100, table 3
    Architecture{.type = "deepseek_v2", .has_latent = true},
    Architecture{.type = "deepseek_v3", .needs_experts = true, .has_latent = true},
    Architecture{.type = "falcon",
                 .gated = false,
                 .biases = {.norms = true},
                 .tied = true,
                 .has_usual_width = true,
                 .is_parallel = true,
                 .usual_limit = 2048},
    Architecture{.type = "gemma", .tied = true, .needs_head_size = true, .needs_groups = true},
    Architecture{.type = "gemma2",
                 .norms = 4,
                 .tied = true,
                 .needs_head_size = true,
                 .needs_groups = true,
                 .window_share = 0.5},
    Architecture{.type = "gpt2",
                 .gated = false,
                 .positions = TokenPositions::Learnt,
                 .biases = of_all,
                 .tied = true,
                 .has_usual_width = true},
    Architecture{.type = "gpt_neox", .gated = false, .biases = of_all, .is_parallel = true},
    Architecture{.type = "gpt_oss",
                 .biases = of_products,
                 .needs_head_size = true,
                 .needs_groups = true,
                 .needs_experts = true,
                 .window_share = 0.5},
    Architecture{.type = "granite"},
    Architecture{.type = "llama"},
    Architecture{.type = "mistral", .needs_groups = true, .window_share = 1},
    Architecture{.type = "mixtral", .needs_groups = true, .needs_experts = true, .window_share = 1},
    Architecture{.type = "olmo2", .query_key_norms = true},
    Architecture{.type = "opt",
                 .gated = false,
                 .positions = TokenPositions::Learnt,
                 .biases = of_all,
                 .tied = true,
                 .extra_positions = 2},
    Architecture{.type = "phi3", .window_share = 1},
    Architecture{.type = "qwen2", .biases = {.query_key_value = true}, .needs_groups = true},
    Architecture{.type = "qwen2_moe",
                 .biases = {.query_key_value = true},
                 .needs_groups = true,
                 .needs_experts = true},
    Architecture{
        .type = "qwen3", .query_key_norms = true, .needs_head_size = true, .needs_groups = true},
    Architecture{
        .type = "qwen3_moe", .query_key_norms = true, .needs_groups = true, .needs_experts = true}};

}  // namespace

const Architecture& architecture_named(const YamlNode& node) {
  std::string type;
  node.read(type);
  std::vector<std::string> names;
  for (const Architecture& each : architectures) {
    if (each.type == type) return each;
    names.emplace_back(each.type);
  }
  node.fail(unknown_name("architecture", type, names));
}

}  // namespace config
}  // namespace tofn
