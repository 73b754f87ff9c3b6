#include "sim/rollout/decoder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/error.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace rollout {
namespace {

/// Products of absorbed latent attention: scores over latent and rotary part, values over the
/// latent part (arXiv 2405.04434, section 2.1.2).
double latent_flops(const TransformerLayers& layers) {
  const LatentAttention& latent = *layers.latent;
  return 2.0 * layers.heads * (2 * latent.key_value_rank + latent.rotary_head_size);
}

CachedAttention cached(const TransformerLayers& layers, double count, double window) {
  if (layers.latent)
    return {.layers = count,
            .values = 1.0 * layers.latent->key_value_rank + layers.latent->rotary_head_size,
            .attended = 1.0 * layers.latent->index_keys,
            .indexed = 1.0 * layers.latent->index_head_size,
            .flops = latent_flops(layers)};
  return {.layers = count,
          .values = 2.0 * layers.key_value_heads * layers.head_size,
          .head_groups = layers.key_value_heads,
          .attended = window,
          .flops = 4.0 * layers.heads * layers.head_size};
}

struct Adder {
  Decoder& decoder;
  const LayerWork& work;

  void operator()(const TransformerLayers& layers) const {
    if (layers.predicts_further) return;
    add_weights(layers.count);
    decoder.branches += layers.count * layers.branches();
    if (layers.heads > 0) {
      decoder.heads.push_back(layers.heads);
      const double windowed = layers.window > 0 ? layers.window_share : 0;
      if (windowed < 1)
        decoder.attention.push_back(cached(layers, layers.count * (1 - windowed), 0));
      if (windowed > 0)
        decoder.attention.push_back(cached(layers, layers.count * windowed, layers.window));
    }
    if (layers.experts > 1)
      decoder.experts.push_back({.layers = 1.0 * layers.count,
                                 .parameters = work.expert_parameters,
                                 .routing = layers.routing()});
  }
  void operator()(const StateSpaceLayers& layers) const {
    add_weights(layers.count);
    decoder.branches += layers.count;
    if (layers.heads > 0) decoder.heads.push_back(layers.heads);
    decoder.state += 1.0 * layers.count * layers.heads * layers.head_size * layers.state_size;
  }
  void operator()(const Vocabulary& vocabulary) const {
    const double table = 1.0 * vocabulary.size * vocabulary.hidden;
    decoder.hidden = vocabulary.hidden;
    decoder.parameters += table;
    decoder.embedding += vocabulary.tied ? 0 : table;
  }
  template <class Other>
  void operator()(const Other&) const {
    throw InputError("generates no text: only models of texts do");
  }

 private:
  void add_weights(int count) const { decoder.parameters += count * work.parameters; }
};

}  // namespace

double CachedExperts::touched(double tokens) const {
  const double share = 1.0 * routing.experts_per_token / routing.experts;
  return 1 - std::pow(1 - share, tokens);
}

double Decoder::expert_parameters() const {
  double sum = 0;
  for (const CachedExperts& each : experts) sum += each.layers * each.parameters;
  return sum;
}

double Decoder::active_expert_parameters() const {
  double sum = 0;
  for (const CachedExperts& each : experts)
    sum += each.layers * each.parameters * each.routing.experts_per_token / each.routing.experts;
  return sum;
}

double Decoder::cached_values(double tokens) const {
  double sum = 0;
  for (const CachedAttention& each : attention)
    sum += each.layers * (each.values * (each.head_groups > 0 ? each.tokens(tokens) : tokens) +
                          each.indexed * tokens);
  return sum;
}

Decoder decoder_of(const Model& model) {
  const std::vector<LayerWork> layers = layer_work(model, Plan{});
  Decoder decoder;
  for (std::size_t i = 0; i < model.parts.size(); ++i) try {
      std::visit(Adder{decoder, layers[i]}, model.parts[i].shape);
    } catch (const InputError& error) {
      throw InputError(fmt::format("model {}: {}", model.name, error.what()));
    }
  if (decoder.hidden <= 0)
    throw InputError(fmt::format("model {}: has no vocabulary to generate from", model.name));
  return decoder;
}

}  // namespace rollout
}  // namespace tofn
