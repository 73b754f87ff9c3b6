#include "sim/model/hybrid_layers.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tofn {
inline namespace model {
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

}  // namespace

std::string problem_of_order(std::string_view letters, int layers, bool has_experts) {
  constexpr std::size_t most = 2'000;  // each change of kind begins a new part
  if (letters.size() > most) return fmt::format("{} layers are too many", letters.size());
  if (letters.empty() || (layers > 0 && letters.size() != static_cast<std::size_t>(layers)))
    return fmt::format("names {} layers of {}", letters.size(), layers);
  const auto at = letters.find_first_not_of(has_experts ? "M*-E" : "M*-");
  if (at == std::string_view::npos) return {};
  return fmt::format("layer {} is '{}': valid are M, *, -, and E where there are experts", at + 1,
                     letters[at]);
}

std::vector<ModelPart> parts_in_order(std::string_view letters, const StateSpaceLayers& state_space,
                                      const TransformerLayers& whole, int dense_width) {
  std::vector<ModelPart> parts;
  for (std::size_t first = 0; first < letters.size();) {
    const char letter = letters[first];
    const std::size_t next = std::min(letters.find_first_not_of(letter, first), letters.size());
    TransformerLayers branch = whole;
    StateSpaceLayers scan = state_space;
    branch.count = scan.count = static_cast<int>(next - first);
    if (letter == 'M')
      parts.push_back({"state_space", scan});
    else if (letter == '*')
      parts.push_back({"attention", attention_of(branch)});
    else if (letter == '-')
      parts.push_back({"mlp", mlp_of(branch, dense_width)});
    else
      parts.push_back({"experts", experts_of(branch)});
    first = next;
  }
  return parts;
}

}  // namespace model
}  // namespace tofn
