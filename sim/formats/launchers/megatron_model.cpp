#include "sim/formats/launchers/megatron_model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/model/hybrid_layers.hpp"

namespace tofn {
inline namespace formats {
namespace {

int needed_size(const LaunchValues& values, std::string_view key) {
  const int size = values.size(key);
  if (size == 0) values.fail(key, "is needed beside num-layers");
  return size;
}

void read_attention(const LaunchValues& values, TransformerLayers& layers) {
  layers.heads = needed_size(values, "num-attention-heads");
  const int groups = values.size("num-query-groups");
  layers.key_value_heads =
      values.truth("group-query-attention") ? std::max(groups, 1) : layers.heads;
  const int channels = values.size("kv-channels");
  if (channels == 0 && layers.hidden % layers.heads != 0)
    values.fail("num-attention-heads",
                fmt::format("{} do not divide a hidden size of {}", layers.heads, layers.hidden));
  layers.head_size = channels > 0 ? channels : layers.hidden / layers.heads;
  layers.query_key_norms = values.truth("qk-layernorm");
  if (!values.truth("multi-latent-attention")) return;
  layers.latent = {.query_rank = values.size("q-lora-rank"),
                   .key_value_rank = values.size("kv-lora-rank"),
                   .rotary_head_size = values.size("qk-pos-emb-head-dim"),
                   .value_head_size = values.size("v-head-dim")};
  layers.head_size = values.size("qk-head-dim") + layers.latent->rotary_head_size;
  layers.key_value_heads = layers.heads;
}

/// Default width of an MLP: 4 x hidden; if gated, two thirds of that in multiples of 64
/// (megatron/training/arguments.py, validate_args).
int typical_width(const TransformerLayers& layers) {
  return layers.gated ? static_cast<int>(4.0 * layers.hidden * 2 / 3) / 64 * 64 : 4 * layers.hidden;
}

TransformerLayers read_layers(const LaunchValues& values) {
  TransformerLayers layers{.count = values.size("num-layers"),
                           .hidden = needed_size(values, "hidden-size")};
  layers.gated = values.truth("swiglu");
  layers.biases = !values.truth("disable-bias-linear");
  if (values.truth("add-qkv-bias")) layers.query_key_value_biases = true;
  layers.norm_biases = values.text("normalization") == "LayerNorm";
  layers.rotary = values.text("position-embedding-type") != "learned_absolute" &&
                  values.text("position-embedding-type") != "none";
  const int width = values.size("ffn-hidden-size");
  layers.feed_forward = width > 0 ? width : typical_width(layers);
  read_attention(values, layers);
  return layers;
}

/// Layers of a term such as `[0]*3` or `[1,0]*2`, where 1 is a mixture of experts; empty if the
/// text is no such term.
std::string layers_of_term(std::string_view term) {
  const std::size_t close = term.find(']');
  if (!term.starts_with('[') || close == std::string_view::npos) return {};
  std::string once(term.substr(1, close - 1));
  std::erase(once, ',');
  term.remove_prefix(close + 1);
  double times = 1;
  if (!term.empty() && (!term.starts_with('*') || !parse_number(term.substr(1), times))) return {};
  constexpr double most = 10'000;
  if (once.find_first_not_of("01") != std::string::npos || !(times >= 1 && times <= most) ||
      times != std::floor(times))
    return {};
  std::string all;
  for (int i = 0; i < static_cast<int>(times); ++i) all += once;
  return all;
}

/// Number of dense layers in a list such as ([0]*3+[1]*58), where they come first; the text 1 means
/// none.
int dense_layers(const LaunchValues& values, int count) {
  const std::string text = values.text("moe-layer-freq");
  if (text == "1") return 0;
  std::string list = text;
  std::erase_if(list, [](char c) { return c == '(' || c == ')' || c == ' '; });
  std::string layers;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t end = std::min(list.find('+', start), list.size());
    const std::string term = layers_of_term(std::string_view(list).substr(start, end - start));
    layers = term.empty() ? std::string("?") : layers + term;
    start = end + 1;
  }
  const std::size_t dense = std::min(layers.find_first_not_of('0'), layers.size());
  const bool is_sorted = layers.find_first_not_of('1', dense) == std::string::npos;
  if (is_sorted && static_cast<int>(layers.size()) == count) return static_cast<int>(dense);
  values.fail("moe-layer-freq",
              fmt::format("'{}' is not expressed: 1, or a list of {} layers such as "
                          "([0]*1+[1]*{}), dense ones first",
                          text, count, count - 1));
}

/// Reads the groups that limit which experts a token may use, if both flags are stated.
void read_expert_groups(const LaunchValues& values, TransformerLayers& layers) {
  constexpr std::string_view key = "moe-router-group-topk";
  const int groups = values.size("moe-router-num-groups");
  const int chosen = values.size(key);
  if (groups == 0 || chosen == 0) return;
  if (layers.experts % groups != 0 || chosen > groups ||
      1LL * layers.experts / groups * chosen < layers.experts_per_token)
    values.fail(key, fmt::format("{} experts a token do not lie in {} of {} groups of {} experts",
                                 layers.experts_per_token, chosen, groups, layers.experts));
  layers.expert_groups = groups;
  layers.groups_per_token = chosen;
}

TransformerLayers as_mixture(const LaunchValues& values, TransformerLayers layers) {
  layers.experts = values.size("num-experts");
  layers.experts_per_token = values.size("moe-router-topk");
  read_expert_groups(values, layers);
  const int width = values.size("moe-ffn-hidden-size");
  if (width > 0) layers.feed_forward = width;
  layers.shared_feed_forward = values.size("moe-shared-expert-intermediate-size");
  layers.expert_latent = values.size("moe-latent-size");
  return layers;
}

/// True if flags can state all properties of these layers.
bool is_of_flags(const TransformerLayers& layers) {
  const bool is_whole = layers.heads > 0 && layers.feed_forward > 0 && layers.norms == 2;
  const bool is_plain =
      layers.causal && !layers.latent && layers.window == 0 && !layers.output_gate;
  const bool trains_all = layers.lora_rank == 0 && !layers.frozen && !layers.predicts_further;
  const bool has_known_biases = !layers.biases || layers.query_key_value_biases.value_or(true);
  return is_whole && is_plain && trains_all && has_known_biases;
}

/// Letters of a hybrid's layers (pretrain_mamba.py, pretrain_hybrid.py); empty if the model is no
/// hybrid.
std::string hybrid_letters(const LaunchValues& values) {
  for (const std::string_view key : {"hybrid-layer-pattern", "hybrid-override-pattern"}) {
    if (!values.is_stated(key)) continue;
    std::string letters = values.text(key);
    const std::string problem =
        problem_of_order(letters, values.size("num-layers"), values.size("num-experts") > 1);
    if (!problem.empty()) values.fail(key, problem);
    return letters;
  }
  return {};
}

/// Layers of Mamba: channels twice as wide as the stream, blocks of 128 tokens
/// (megatron/core/ssm/mamba_mixer.py).
StateSpaceLayers mamba_layers(const LaunchValues& values, int hidden) {
  StateSpaceLayers layers{.hidden = hidden,
                          .heads = values.size("mamba-num-heads"),
                          .head_size = needed_size(values, "mamba-head-dim"),
                          .groups = needed_size(values, "mamba-num-groups"),
                          .state_size = needed_size(values, "mamba-state-dim"),
                          .chunk = 128};
  if (layers.heads == 0) layers.heads = 2 * hidden / layers.head_size;
  if (layers.heads == 0 || layers.heads % layers.groups != 0)
    values.fail("mamba-num-groups", fmt::format("must divide the {} heads", layers.heads));
  return layers;
}

}  // namespace

int further_layers(const Model& model) {
  int count = 0;
  for (const ModelPart& part : model.parts)
    if (const auto* layers = std::get_if<TransformerLayers>(&part.shape))
      count += layers->predicts_further ? layers->count : 0;
  return count;
}

std::optional<Model> megatron_model(const LaunchValues& values, bool gives_way) {
  const std::string letters = hybrid_letters(values);
  if (values.size("num-layers") == 0 && letters.empty()) return {};
  TransformerLayers layers = read_layers(values);
  Model model;
  model.name = model.title = "launched";
  model.source = "the launch file";
  model.sequence_length = static_cast<double>(needed_size(values, "seq-length"));
  const int entries = gives_way ? 0 : vocabulary_size(values, model.substitutions);
  const bool learns_positions = values.text("position-embedding-type") == "learned_absolute";
  model.parts.push_back(
      {.name = "vocabulary",
       .shape =
           Vocabulary{.size = entries,
                      .hidden = layers.hidden,
                      .positions = learns_positions ? values.size("max-position-embeddings") : 0,
                      .tied = !values.truth("untie-embeddings-and-output-weights"),
                      .biases = layers.norm_biases.value_or(true)}});
  if (!letters.empty()) {
    const TransformerLayers mixture =
        values.size("num-experts") > 1 ? as_mixture(values, layers) : layers;
    for (ModelPart& part :
         parts_in_order(letters, mamba_layers(values, layers.hidden), mixture, layers.feed_forward))
      model.parts.push_back(std::move(part));
    return model;
  }
  if (values.size("num-experts") > 1) {
    const int dense = dense_layers(values, layers.count);
    if (dense > 0) {
      TransformerLayers first = layers;
      first.count = dense;
      model.parts.push_back({.name = "dense layers", .shape = first});
    }
    layers.count -= dense;
    layers = as_mixture(values, layers);
  }
  model.parts.push_back({.name = "transformer", .shape = layers});
  if (const int further = values.size("mtp-num-layers"); further > 0)
    add_further_predictions(model, further);
  return model;
}

void set_megatron_model(const Model& model, LaunchValues& values) {
  const Vocabulary* vocabulary = nullptr;
  const TransformerLayers* layers = nullptr;
  for (const ModelPart& part : model.parts) {
    if (const auto* found = std::get_if<Vocabulary>(&part.shape))
      vocabulary = found;
    else if (const auto* shape = std::get_if<TransformerLayers>(&part.shape); shape && !layers)
      layers = shape;
    else if (shape == nullptr || !shape->predicts_further)
      return;
  }
  if (vocabulary == nullptr || layers == nullptr || !is_of_flags(*layers)) return;
  values.set("num-layers", layers->count);
  values.set("hidden-size", layers->hidden);
  values.set(layers->experts > 1 ? "moe-ffn-hidden-size" : "ffn-hidden-size", layers->feed_forward);
  values.set("num-attention-heads", layers->heads);
  values.set("kv-channels", layers->head_size);
  values.set("group-query-attention", layers->key_value_heads != layers->heads);
  if (layers->key_value_heads != layers->heads)
    values.set("num-query-groups", layers->key_value_heads);
  values.set("swiglu", layers->gated);
  values.set("disable-bias-linear", !layers->biases);
  values.set("qk-layernorm", layers->query_key_norms);
  values.set("normalization",
             layers->norm_biases.value_or(layers->biases) ? "LayerNorm" : "RMSNorm");
  values.set("add-qkv-bias", !layers->biases && layers->query_key_value_biases.value_or(false));
  values.set("position-embedding-type", layers->rotary              ? "rope"
                                        : vocabulary->positions > 0 ? "learned_absolute"
                                                                    : "none");
  values.set("max-position-embeddings",
             std::max(vocabulary->positions, static_cast<int>(model.sequence_length)));
  values.set("vocab-size", vocabulary->size);
  // A vocabulary that tensor ranks do not divide is simulated as Megatron-LM pads it.
  const bool is_divided = vocabulary->size % values.whole("tensor-model-parallel-size") == 0;
  if (is_divided && padded_entries(values, vocabulary->size) != vocabulary->size)
    values.set("padded-vocab-size", vocabulary->size);
  values.set("untie-embeddings-and-output-weights", !vocabulary->tied);
  if (layers->experts > 1) {
    values.set("num-experts", layers->experts);
    values.set("moe-router-topk", layers->experts_per_token);
    values.set("moe-grouped-gemm", true);  // otherwise, the experts of a rank run in turn
    if (layers->expert_groups > 1) {
      values.set("moe-router-num-groups", layers->expert_groups);
      values.set("moe-router-group-topk", layers->groups_per_token);
    }
    if (layers->expert_latent > 0) values.set("moe-latent-size", layers->expert_latent);
    if (layers->shared_feed_forward > 0)
      values.set("moe-shared-expert-intermediate-size", layers->shared_feed_forward);
  }
}

}  // namespace formats
}  // namespace tofn
