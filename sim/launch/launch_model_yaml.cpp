#include "sim/launch/launch_model_yaml.hpp"

#include <fmt/format.h>

namespace tofn {
inline namespace launch {
namespace {

std::string yaml_of(const Vocabulary& shape) {
  std::string text = fmt::format("  - vocabulary: {{size: {}, hidden: {}, tied: {}, biases: {}",
                                 shape.size, shape.hidden, shape.tied, shape.biases);
  if (shape.positions > 0) text += fmt::format(", positions: {}", shape.positions);
  return text + "}\n";
}

std::string yaml_of(const TransformerLayers& shape) {
  std::string text = fmt::format(
      "  - transformer:\n      layers: {}\n      hidden: {}\n      feed_forward: {}\n"
      "      heads: {}\n      head_size: {}\n      gated: {}\n      rotary: {}\n"
      "      biases: {}\n",
      shape.count, shape.hidden, shape.feed_forward, shape.heads, shape.head_size, shape.gated,
      shape.rotary, shape.biases);
  if (shape.norm_biases) text += fmt::format("      norm_biases: {}\n", *shape.norm_biases);
  if (shape.query_key_norms && !shape.latent) text += "      query_key_norms: true\n";
  if (!shape.latent) text += fmt::format("      key_value_heads: {}\n", shape.key_value_heads);
  if (shape.experts > 1)
    text += fmt::format("      experts: {}\n      experts_per_token: {}\n", shape.experts,
                        shape.experts_per_token);
  if (shape.shared_feed_forward > 0)
    text += fmt::format("      shared_feed_forward: {}\n", shape.shared_feed_forward);
  if (shape.latent)
    text += fmt::format(
        "      latent_attention: {{{}key_value_rank: {}, rotary_head_size: {}, value_head_size: "
        "{}}}\n",
        shape.latent->query_rank > 0 ? fmt::format("query_rank: {}, ", shape.latent->query_rank)
                                     : "",
        shape.latent->key_value_rank, shape.latent->rotary_head_size,
        shape.latent->value_head_size);
  return text;
}

}  // namespace

std::string launch_model_yaml(const Model& model) {
  std::string text = fmt::format(
      "format: 2\nname: {}\ntitle: {}\nsource: {}\nsequence_length: {:.0f}\nprecision: bf16\n"
      "parts:\n",
      model.name, model.title, model.source, model.sequence_length);
  for (const ModelPart& part : model.parts)
    if (const auto* vocabulary = std::get_if<Vocabulary>(&part.shape))
      text += yaml_of(*vocabulary);
    else if (const auto* layers = std::get_if<TransformerLayers>(&part.shape))
      text += yaml_of(*layers);
  return text;
}

}  // namespace launch
}  // namespace tofn
