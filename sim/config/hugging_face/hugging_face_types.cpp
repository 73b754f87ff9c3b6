#include "sim/config/hugging_face/hugging_face_types.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tofn {
inline namespace config {
namespace {

/// Other names of the same layers, in a `text_config` or in models with more than text.
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
     {"lfm2_moe", "lfm2"},
     {"llama4_text", "llama4"},
     {"mimo", "qwen2"},
     {"minimax_m3_vl", "minimax_m3"},
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

}  // namespace

std::vector<HuggingFaceType> hugging_face_types() {
  std::vector<HuggingFaceType> types;
  for (const auto& [name, of] : same_layers) types.push_back({std::string(name), std::string(of)});
  for (const HuggingFaceArchitecture& each : hugging_face_architectures())
    types.push_back({std::string(each.type), std::string(each.type)});
  std::sort(types.begin(), types.end(),
            [](const HuggingFaceType& a, const HuggingFaceType& b) { return a.name < b.name; });
  return types;
}

const HuggingFaceArchitecture* architecture_named(std::string_view type) {
  for (const auto& [name, of] : same_layers)
    if (name == type) type = of;
  const auto all = hugging_face_architectures();
  const auto found = std::find_if(all.begin(), all.end(), [&](const HuggingFaceArchitecture& each) {
    return each.type == type;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace config
}  // namespace tofn
