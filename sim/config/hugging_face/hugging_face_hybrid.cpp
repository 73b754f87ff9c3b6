#include "sim/config/hugging_face/hugging_face_hybrid.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace tofn {
inline namespace config {
namespace {

/// Channels of the state space, as a multiple of the hidden size.
int inner_width(HuggingFaceKeys& keys, int hidden) {
  constexpr long long most = 10'000'000;
  const long long width = 1LL * keys.count({"mamba_expand", "expand"}, 2) * hidden;
  if (width < 1 || width > most) keys.fail(fmt::format("a state space of {} channels", width));
  return static_cast<int>(width);
}

/// Head size of the state space; beside attention, `head_dim` is that of the attention heads.
int head_size_of(HuggingFaceKeys& keys, int hidden, int heads) {
  if (const auto node = keys.find({"mamba_d_head"})) {
    std::string text;
    node->read(text);
    if (text == "auto" && inner_width(keys, hidden) % heads == 0)
      return inner_width(keys, hidden) / heads;
  }
  const auto own = keys.optional_dimension({"mamba_head_dim", "mamba_d_head"});
  return own ? *own : keys.dimension({"head_dim"});
}

std::vector<int> numbers_of(HuggingFaceKeys& keys, std::string_view name) {
  std::vector<int> numbers;
  if (const auto node = keys.find({name})) node->read(numbers);
  return numbers;
}

bool holds(const std::vector<int>& numbers, int number) {
  return std::ranges::find(numbers, number) != numbers.end();
}

/// Letter of a layer's type; `others` are the types without attention.
char mixer_of(HuggingFaceKeys& keys, const YamlNode& type, std::string_view others) {
  std::string name;
  type.read(name);
  if (is_among(name, "full_attention attention")) return '*';
  if (!is_among(name, others)) keys.add_uncounted(type, KeyEffect::Kind);
  return 'M';
}

/// Letter of the feed-forward part of every layer: experts or an MLP.
char feed_forward_letter(const TransformerLayers& whole) { return whole.experts > 1 ? 'E' : '-'; }

void check_groups(HuggingFaceKeys& keys, const StateSpaceLayers& layers) {
  if (layers.heads % layers.groups != 0)
    keys.fail(fmt::format("{} groups do not divide {} heads of the state space", layers.groups,
                          layers.heads));
}

}  // namespace

StateSpaceLayers read_state_space(HuggingFaceKeys& keys, int hidden) {
  const int heads = keys.dimension({"mamba_num_heads", "num_heads", "mamba_n_heads"});
  StateSpaceLayers layers{
      .hidden = hidden,
      .heads = heads,
      .head_size = head_size_of(keys, hidden, heads),
      .groups = keys.dimension({"n_groups", "mamba_n_groups"}),
      .state_size = keys.dimension({"ssm_state_size", "state_size", "mamba_d_state"}),
      .convolution = keys.dimension({"conv_kernel", "mamba_d_conv"}),
      .chunk = keys.dimension({"chunk_size", "mamba_chunk_size"}),
      .biases = keys.is_on("use_bias"),
      .convolution_biases = keys.is_on("use_conv_bias", keys.is_on("mamba_conv_bias", true))};
  layers.biases = keys.is_on("mamba_proj_bias", layers.biases);
  check_groups(keys, layers);
  return layers;
}

StateSpaceLayers read_first_state_space(HuggingFaceKeys& keys, int hidden) {
  constexpr int channels = 64;
  const int inner = inner_width(keys, hidden);
  keys.find({"intermediate_size"});  // equals the inner width in a pure state-space model
  if (inner % channels != 0)
    keys.fail(fmt::format("{} channels of the state space are no multiple of {}", inner, channels));
  return {.hidden = hidden,
          .heads = inner / channels,
          .head_size = channels,
          .state_size = keys.dimension({"mamba_d_state", "state_size"}),
          .convolution = keys.dimension({"mamba_d_conv", "conv_kernel"}),
          .biases = keys.is_on("mamba_proj_bias", keys.is_on("use_bias")),
          .convolution_biases = keys.is_on("mamba_conv_bias", keys.is_on("use_conv_bias", true))};
}

StateSpaceLayers read_delta_net(HuggingFaceKeys& keys, int hidden) {
  constexpr int chunk = 64;  // fla/ops/gated_delta_rule/chunk.py
  StateSpaceLayers layers{.hidden = hidden,
                          .heads = keys.dimension({"linear_num_value_heads"}),
                          .head_size = keys.dimension({"linear_value_head_dim"}),
                          .groups = keys.dimension({"linear_num_key_heads"}),
                          .state_size = keys.dimension({"linear_key_head_dim"}),
                          .convolution = keys.dimension({"linear_conv_kernel_dim"}),
                          .chunk = chunk,
                          .convolution_biases = false,
                          .delta_rule = true};
  check_groups(keys, layers);
  return layers;
}

StateSpaceLayers read_kimi_delta(HuggingFaceKeys& keys, int hidden) {
  constexpr int chunk = 64;  // fla/ops/kda/chunk.py
  HuggingFaceKeys of_layers(keys.needed({"linear_attn_config"}));
  const int heads = of_layers.dimension({"num_heads"});
  const int size = of_layers.dimension({"head_dim"});
  const StateSpaceLayers layers{.hidden = hidden,
                                .heads = heads,
                                .head_size = size,
                                .groups = heads,
                                .state_size = size,
                                .convolution = of_layers.dimension({"short_conv_kernel_size"}),
                                .chunk = chunk,
                                .convolution_biases = false,
                                .delta_rule = true,
                                .gate_rank = size};
  of_layers.pass_over("full_attn_layers kda_layers");
  keys.adopt(of_layers);
  return layers;
}

StateSpaceLayers read_short_convolution(HuggingFaceKeys& keys, int hidden) {
  const bool biases = keys.is_on("conv_bias");
  return {.hidden = hidden,
          .heads = hidden,
          .head_size = 1,
          .groups = hidden,
          .convolution = keys.dimension({"conv_L_cache"}),
          .biases = biases,
          .convolution_biases = biases};
}

std::string stated_pattern(HuggingFaceKeys& keys, const TransformerLayers& whole) {
  const YamlNode node = keys.needed({"hybrid_override_pattern"});
  std::string letters;
  node.read(letters);
  if (const std::string problem = problem_of_order(letters, whole.count, whole.experts > 1);
      !problem.empty())
    node.fail(problem);
  return letters;
}

std::string periodic_pattern(HuggingFaceKeys& keys, const TransformerLayers& whole) {
  const int attends = keys.dimension({"attn_layer_period"});
  const int attends_at = keys.count({"attn_layer_offset"});
  const int experts = keys.optional_dimension({"expert_layer_period"}).value_or(1);
  const int experts_at = keys.count({"expert_layer_offset"});
  std::string letters;
  for (int i = 0; i < whole.count; ++i) {
    letters += i % attends == attends_at ? '*' : 'M';
    letters += i % experts == experts_at ? feed_forward_letter(whole) : '-';
  }
  return letters;
}

std::string indexed_pattern(HuggingFaceKeys& keys, const TransformerLayers& whole) {
  const std::vector<int> attending = numbers_of(keys, "attn_layer_indices");
  std::string letters;
  for (int i = 0; i < whole.count; ++i) {
    letters += holds(attending, i) ? '*' : 'M';
    letters += feed_forward_letter(whole);
  }
  return letters;
}

std::string kimi_pattern(HuggingFaceKeys& keys, const TransformerLayers& whole) {
  HuggingFaceKeys of_layers(keys.needed({"linear_attn_config"}));
  const std::vector<int> attending = numbers_of(of_layers, "full_attn_layers");
  const std::vector<int> linear = numbers_of(of_layers, "kda_layers");
  const int dense = keys.count({"first_k_dense_replace"});
  const int every = keys.optional_dimension({"moe_layer_freq"}).value_or(1);
  std::string letters;
  for (int i = 0; i < whole.count; ++i) {
    if (holds(attending, i + 1) == holds(linear, i + 1))
      keys.needed({"linear_attn_config"})
          .fail(fmt::format("layer {} must stand in full_attn_layers or in kda_layers", i + 1));
    letters += holds(attending, i + 1) ? '*' : 'M';
    letters += i < dense || i % every != 0 ? '-' : feed_forward_letter(whole);
  }
  return letters;
}

std::string convolution_pattern(HuggingFaceKeys& keys, const TransformerLayers& whole) {
  const int dense = keys.count({"num_dense_layers"});
  const std::vector<int> attending = numbers_of(keys, "full_attn_idxs");
  const auto types = keys.find({"layer_types"});
  const auto items = types ? types->items() : std::vector<YamlNode>{};
  if (types && items.size() != static_cast<std::size_t>(whole.count))
    types->fail(fmt::format("names {} layers of {}", items.size(), whole.count));
  if (!types) keys.needed({"full_attn_idxs", "layer_types"});
  std::string letters;
  for (int i = 0; i < whole.count; ++i) {
    char mixer = holds(attending, i) ? '*' : 'M';
    if (types) mixer = mixer_of(keys, items[static_cast<std::size_t>(i)], "conv");
    letters += mixer;
    letters += i < dense ? '-' : feed_forward_letter(whole);
  }
  return letters;
}

std::string parallel_pattern(HuggingFaceKeys&, const TransformerLayers& whole) {
  std::string letters;
  for (int i = 0; i < whole.count; ++i) letters += std::string("M*") + feed_forward_letter(whole);
  return letters;
}

std::string typed_pattern(HuggingFaceKeys& keys, const TransformerLayers& whole) {
  const auto types = keys.find({"layer_types", "layers_block_type"});
  const auto items = types ? types->items() : std::vector<YamlNode>{};
  if (types && items.size() != static_cast<std::size_t>(whole.count))
    types->fail(fmt::format("names {} layers of {}", items.size(), whole.count));
  if (!types) keys.needed({"full_attention_interval", "layer_types"});
  const int interval = keys.optional_dimension({"full_attention_interval"}).value_or(1);
  const int sparse = keys.optional_dimension({"decoder_sparse_step"}).value_or(1);
  const std::vector<int> dense = numbers_of(keys, "mlp_only_layers");
  std::string letters;
  for (int i = 0; i < whole.count; ++i) {
    char mixer = (i + 1) % interval == 0 ? '*' : 'M';
    if (types) mixer = mixer_of(keys, items[static_cast<std::size_t>(i)], "linear_attention mamba");
    letters += mixer;
    letters += holds(dense, i) || (i + 1) % sparse != 0 ? '-' : feed_forward_letter(whole);
  }
  return letters;
}

}  // namespace config
}  // namespace tofn
