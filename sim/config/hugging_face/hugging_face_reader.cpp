#include "sim/config/hugging_face/hugging_face_reader.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/hugging_face/hugging_face_architectures.hpp"
#include "sim/config/hugging_face/hugging_face_hybrid.hpp"
#include "sim/config/hugging_face/hugging_face_keys.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {

int HuggingFaceReader::typical(int DefaultDimensions::*what) const {
  const int of_all = of_.typical.*what;
  return of_all == 0 && keys_.has_text_config() ? of_.typical_text.*what : of_all;
}

int HuggingFaceReader::dimension_or(HuggingFaceKeys::Names names, int typical) {
  if (typical == 0) return keys_.dimension(names);
  if (const auto stated = keys_.optional_dimension(names)) return *stated;
  say("{} is {}, as {} has it where the file says nothing", *names.begin(), typical, of_.type);
  return typical;
}

int HuggingFaceReader::limit(bool is_needed) {
  const HuggingFaceKeys::Names names{"max_position_embeddings", "n_positions"};
  const int extra = of_.counts_extra_positions ? of_.extra_positions : 0;
  int other = 0;  // beside the first names these are training lengths
  for (const std::string_view name : {"seq_length", "max_seq_len", "model_max_length"})
    if (const int stated = keys_.count({name}); other == 0) other = stated;
  if (const int stated = keys_.count(names); stated > extra) return stated - extra;
  if (other > 0) return other;
  if (of_.layers == LayerKinds::StateSpace || !is_needed) return 0;
  return dimension_or(names, typical(&DefaultDimensions::limit));
}

void HuggingFaceReader::read_sequence() {
  constexpr int typical = 4096;
  const auto tokens = keys_.optional_dimension({"sequence_length"});
  limit_ = limit(!tokens || of_.positions == TokenPositions::Learned);
  if (tokens) {
    model_.sequence_length = *tokens;
    return;
  }
  model_.sequence_length = limit_ > 0 ? std::min(limit_, typical) : typical;
  if (limit_ == 0)
    return say("sequence length {}, since the file gives none (--sequence-length)",
               model_.sequence_length);
  say("sequence length {}, since the file gives only a maximum of {} (--sequence-length)",
      model_.sequence_length, limit_);
}

void HuggingFaceReader::read_precision() {
  std::string type;
  if (const auto node = keys_.find({"torch_dtype", "dtype"})) node->read(type);
  if (type == "float16") model_.precision = Precision::Fp16;
  if (type != "float16" && type != "bfloat16")
    say("products are taken to run in bf16 (--precision): the file says {}",
        type.empty() ? "nothing of it" : fmt::format("that weights are stored in {}", type));
  if (keys_.find({"quantization_config"}))
    say("the quantised weights are taken to serve inference alone, and training to run in {}; a "
        "model that trained in fp8 needs --precision fp8",
        type == "float16" ? "fp16" : "bf16");
}

/// Reads Falcon's groups: one for all heads, or `num_kv_heads`, depending on two switches.
void HuggingFaceReader::read_falcon_groups() {
  const bool is_new = keys_.is_on("new_decoder_architecture");
  const bool is_single = keys_.is_on("multi_query", true);
  const auto groups = keys_.optional_dimension({"num_kv_heads"});
  layers_.key_value_heads = is_new ? groups.value_or(layers_.heads) : is_single ? 1 : layers_.heads;
}

void HuggingFaceReader::read_heads() {
  layers_.heads = dimension_or({"num_attention_heads", "n_head", "n_heads"},
                               typical(&DefaultDimensions::heads));
  if (of_.type == "falcon") {
    read_falcon_groups();
  } else {
    const HuggingFaceKeys::Names groups{"num_key_value_heads", "n_head_kv", "kv_n_heads",
                                        "multi_query_group_num"};
    const int of_queries = keys_.is_on("multi_query") ? 1 : layers_.heads;
    const int known = typical(&DefaultDimensions::groups);
    layers_.key_value_heads = known > 0 || of_.needs_groups
                                  ? dimension_or(groups, known)
                                  : keys_.optional_dimension(groups).value_or(of_queries);
  }
  if (layers_.heads % layers_.key_value_heads != 0)
    keys_.fail(fmt::format("{} heads of keys and values do not divide {} heads",
                           layers_.key_value_heads, layers_.heads));
  if (of_.has_latent) return read_latent();
  const HuggingFaceKeys::Names sizes{"head_dim", "attention_head_dim", "kv_channels"};
  const int known = typical(&DefaultDimensions::head_size);
  const auto size = known > 0 || of_.needs_head_size ? std::optional(dimension_or(sizes, known))
                                                     : keys_.optional_dimension(sizes);
  if (!size && layers_.hidden % layers_.heads != 0)
    keys_.fail(fmt::format("{} heads do not divide a hidden size of {}: head_dim is needed",
                           layers_.heads, layers_.hidden));
  layers_.head_size = size.value_or(layers_.hidden / layers_.heads);
}

void HuggingFaceReader::read_latent() {
  LatentAttention& latent = layers_.latent.emplace();
  latent.query_rank = keys_.optional_dimension({"q_lora_rank"}).value_or(0);
  latent.key_value_rank = keys_.dimension({"kv_lora_rank"});
  latent.rotary_head_size = keys_.dimension({"qk_rope_head_dim"});
  latent.value_head_size = keys_.dimension({"v_head_dim"});
  layers_.head_size = keys_.dimension({"qk_nope_head_dim"}) + latent.rotary_head_size;
  layers_.key_value_heads = layers_.heads;
  for (const char* follows : {"head_dim", "qk_head_dim"}) keys_.find({follows});
  if (!keys_.find({"index_topk"})) return;
  latent.index_keys = keys_.dimension({"index_topk"});
  latent.index_heads = keys_.dimension({"index_n_heads"});
  latent.index_head_size = keys_.dimension({"index_head_dim"});
  say("the index of sparse attention trains on the keys that it chose; attention to these works on "
      "keys of heads, where kernels that work on narrow rows compute more");
}

void HuggingFaceReader::read_biases() {
  const bool all = keys_.is_on(of_.bias_key, of_.biases.products);
  const bool typical = all || of_.biases.query_key_value;
  const bool of_attention =
      !of_.has_latent &&
      keys_.is_on("attention_bias",
                  keys_.is_on("use_qkv_bias", keys_.is_on("add_qkv_bias", typical)));
  const bool of_mlp = keys_.is_on("mlp_bias", all);
  layers_.biases = of_attention && of_mlp;
  layers_.query_key_value_biases = of_attention;
  layers_.norm_biases = of_.biases.norms;
  if (of_attention && !of_mlp && !of_.biases.query_key_value && !keys_.is_on("use_qkv_bias"))
    say("the bias of attention's output is not counted");
  if (of_mlp && !of_attention) say("biases of the MLP are not counted");
}

std::vector<bool> HuggingFaceReader::sliding_layers() {
  const auto types = keys_.find({"layer_types"});
  std::vector<bool> sliding;
  if (!types) return sliding;
  const auto items = types->items();
  for (const YamlNode& item : items) {
    std::string kind;
    item.read(kind);
    sliding.push_back(kind == "sliding_attention");
    // Chunked attention is reported if chunks are shorter than a sample.
    if (!is_among(kind, "full_attention sliding_attention chunked_attention"))
      keys_.add_uncounted(item, KeyEffect::Kind);
  }
  if (items.size() != static_cast<std::size_t>(layers_.count))
    types->fail(fmt::format("names {} layers of {}", items.size(), layers_.count));
  return sliding;
}

/// Reads which layers have a sliding window: from a list, a switch or the architecture.
void HuggingFaceReader::read_window() {
  double share = of_.window_share;
  if (const int every = keys_.count(
          {"sliding_window_pattern", "_sliding_window_pattern", "layer_switch"}, of_.full_every);
      every > 0) {
    const int full = layers_.count / every;
    share = 1 - 1.0 * full / layers_.count;
  }
  const bool slides = keys_.is_on("use_sliding_window", share > 0);
  const int first = keys_.count({"max_window_layers"});
  if (!slides) share = 0;
  if (slides && share == 0) share = 1.0 * std::max(0, layers_.count - first) / layers_.count;
  if (const auto named = sliding_layers(); !named.empty())
    share = 1.0 * static_cast<double>(std::ranges::count(named, true)) / layers_.count;
  const auto window = keys_.optional_dimension({"sliding_window"});
  if (!window || share == 0) return;
  layers_.window = *window;
  layers_.window_share = share;
}

/// Width as a multiple of the hidden size: MPT's `expansion_ratio`, 4 by default.
int HuggingFaceReader::expanded_width() {
  constexpr std::string_view name = "expansion_ratio";
  const double ratio = keys_.find({name}) ? keys_.number(name) : 4;
  const double width = ratio * layers_.hidden;
  if (!(width >= 1 && width <= 1e9)) keys_.fail(fmt::format("{} {:g} makes no width", name, ratio));
  return static_cast<int>(width);
}

/// Width of LFM2's MLP: two thirds, times a factor, rounded up to a multiple (modeling_lfm2.py,
/// Lfm2MLP).
int HuggingFaceReader::adjusted_width() {
  constexpr double most = 1e9;
  const double factor =
      keys_.find({"block_ffn_dim_multiplier"}) ? keys_.number("block_ffn_dim_multiplier") : 1;
  const int multiple = keys_.optional_dimension({"block_multiple_of"}).value_or(256);
  const double width = factor * (2 * layers_.feed_forward / 3);
  if (!(width >= 1 && width <= most))
    keys_.fail(fmt::format("block_ffn_dim_multiplier {:g} makes no width", factor));
  return (static_cast<int>(width) + multiple - 1) / multiple * multiple;
}

void HuggingFaceReader::read_feed_forward() {
  const HuggingFaceKeys::Names names{"intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size",
                                     "block_ff_dim"};
  const HuggingFaceKeys::Names of_experts{"moe_intermediate_size"};
  if (!keys_.find(names) && !of_.has_default_width && keys_.find(of_experts))
    layers_.feed_forward = keys_.dimension(of_experts);
  else
    layers_.feed_forward = of_.has_default_width
                               ? keys_.optional_dimension(names).value_or(expanded_width())
                               : dimension_or(names, typical(&DefaultDimensions::width));
  if (keys_.is_on("block_auto_adjust_ff_dim")) layers_.feed_forward = adjusted_width();
  if (of_.has_width_of_two) layers_.feed_forward = std::max(1, layers_.feed_forward / 2);
  dense_width_ = keys_.optional_dimension({"dense_intermediate_size"})
                     .value_or(keys_.count({"intermediate_size_mlp", "shared_intermediate_size"}));
  if (dense_width_ == 0) dense_width_ = layers_.feed_forward;
}

}  // namespace config
}  // namespace tofn
