#include "sim/config/hugging_face_hybrid.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

namespace tofn {
inline namespace config {
namespace {

TransformerLayers attention_of(TransformerLayers layers) {
  layers.feed_forward = layers.shared_feed_forward = 0;
  layers.experts = layers.experts_per_token = 1;
  return layers;
}
TransformerLayers experts_of(TransformerLayers layers) {
  layers.heads = layers.key_value_heads = layers.head_size = 0;
  return layers;
}
TransformerLayers mlp_of(TransformerLayers layers, int width) {
  layers.experts = layers.experts_per_token = 1;
  layers.shared_feed_forward = 0;
  layers.feed_forward = width;
  return experts_of(layers);
}

/// Where attention stands beside, `head_dim` is that of its heads.
int head_size_of(HuggingFaceKeys& keys) {
  const auto own = keys.optional_dimension({"mamba_head_dim"});
  return own ? *own : keys.dimension({"head_dim"});
}

}  // namespace

StateSpaceLayers read_state_space(HuggingFaceKeys& keys, int hidden) {
  StateSpaceLayers layers{.hidden = hidden,
                          .heads = keys.dimension({"mamba_num_heads", "num_heads"}),
                          .head_size = head_size_of(keys),
                          .groups = keys.dimension({"n_groups"}),
                          .state_size = keys.dimension({"ssm_state_size", "state_size"}),
                          .convolution = keys.dimension({"conv_kernel"}),
                          .chunk = keys.dimension({"chunk_size"}),
                          .biases = keys.is_on("use_bias"),
                          .convolution_biases = keys.is_on("use_conv_bias", true)};
  layers.biases = keys.is_on("mamba_proj_bias", layers.biases);
  if (layers.heads % layers.groups != 0)
    keys.fail(fmt::format("{} groups do not divide {} heads of the state space", layers.groups,
                          layers.heads));
  return layers;
}

std::vector<ModelPart> read_pattern(const YamlNode& node, const StateSpaceLayers& state_space,
                                    const TransformerLayers& whole, int dense_width) {
  std::string pattern;
  node.read(pattern);
  if (pattern.size() != static_cast<std::size_t>(whole.count))
    node.fail(fmt::format("names {} layers of {}", pattern.size(), whole.count));
  std::vector<ModelPart> parts;
  for (std::size_t first = 0; first < pattern.size();) {
    const std::size_t next =
        std::min(pattern.find_first_not_of(pattern[first], first), pattern.size());
    TransformerLayers branch = whole;
    StateSpaceLayers scan = state_space;
    branch.count = scan.count = static_cast<int>(next - first);
    ModelPart part;
    if (pattern[first] == 'M')
      part = {"state_space", scan};
    else if (pattern[first] == '*')
      part = {"attention", attention_of(branch)};
    else if (pattern[first] == '-')
      part = {"mlp", mlp_of(branch, dense_width)};
    else if (pattern[first] == 'E' && whole.experts > 1)
      part = {"experts", experts_of(branch)};
    else
      node.fail(fmt::format("layer {} is '{}': valid are M, *, -, and E where there are experts",
                            first + 1, pattern[first]));
    parts.push_back(part);
    first = next;
  }
  return parts;
}

}  // namespace config
}  // namespace tofn
