#include "sim/config/hugging_face/hugging_face_blocks.hpp"

#include <variant>

#include <fmt/format.h>

namespace tofn {
inline namespace config {
namespace {

/// State of one half of a block: left out, or replaced by a single product.
struct Half {
  bool is_there = false;
  bool is_product = false;
};
Half half_of(HuggingFaceKeys& keys) {
  const bool is_product = keys.is_on("replace_with_linear");
  return {.is_there = !keys.is_on("no_op") && !is_product, .is_product = is_product};
}

/// Width of the MLP as modeling_decilm.py computes it, _ffn_mult_to_intermediate_size.
int width_of(HuggingFaceKeys& keys, int hidden) {
  constexpr int unit = 256;
  constexpr double most = 1e7;
  const double width = 2 * keys.number("ffn_mult") * hidden / 3;
  if (!(width >= 1 && width <= most))
    keys.fail(fmt::format("an ffn_mult of {:g} is no width", keys.number("ffn_mult")));
  return (static_cast<int>(width) + unit - 1) / unit * unit;
}

}  // namespace

std::vector<ModelPart> read_blocks(HuggingFaceKeys& keys, const TransformerLayers& whole,
                                   std::vector<std::string>& uncounted) {
  const YamlNode blocks = keys.needed({"block_configs"});
  const auto items = blocks.items();
  if (items.size() != static_cast<std::size_t>(whole.count))
    blocks.fail(fmt::format("names {} layers of {}", items.size(), whole.count));
  std::vector<ModelPart> parts;
  int products = 0;
  for (const YamlNode& item : items) {
    TransformerLayers layer = whole;
    layer.count = 1;
    layer.feed_forward = 0;
    HuggingFaceKeys block(item);
    HuggingFaceKeys attention(block.needed({"attention"}));
    const Half attends = half_of(attention);
    if (attends.is_there) {
      const int sharing = attention.dimension({"n_heads_in_group"});
      if (layer.heads % sharing != 0)
        attention.fail(fmt::format("{} heads in a group do not divide {}", sharing, layer.heads));
      layer.key_value_heads = layer.heads / sharing;
    } else {
      layer.heads = layer.key_value_heads = layer.head_size = 0;
      attention.pass_over("n_heads_in_group");
    }
    HuggingFaceKeys mlp(block.needed({"ffn"}));
    const Half feeds = half_of(mlp);
    if (feeds.is_there) layer.feed_forward = width_of(mlp, layer.hidden);
    mlp.pass_over("ffn_mult");
    products += (attends.is_product ? 1 : 0) + (feeds.is_product ? 1 : 0);
    block.adopt(attention);
    block.adopt(mlp);
    keys.adopt(block);
    if (layer.heads == 0 && layer.feed_forward == 0) continue;
    auto* last = parts.empty() ? nullptr : std::get_if<TransformerLayers>(&parts.back().shape);
    const bool is_like = last != nullptr && last->heads == layer.heads &&
                         last->key_value_heads == layer.key_value_heads &&
                         last->feed_forward == layer.feed_forward;
    if (is_like)
      ++last->count;
    else
      parts.push_back({"transformer", layer});
  }
  if (parts.empty()) blocks.fail("needs a layer that has something");
  if (products > 0)
    uncounted.push_back(fmt::format(
        "in {} halves of layers one product stands for attention or an MLP: it is not counted",
        products));
  return parts;
}

}  // namespace config
}  // namespace tofn
