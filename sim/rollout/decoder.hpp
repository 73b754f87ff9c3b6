#pragma once

#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/core/token_routing.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace rollout {

/// Equal attention layers of a decoder, as its cache sees them.
struct CachedAttention {
  double layers = 0;
  double values = 0;  ///< cached for one token by one layer
  int head_groups =
      0;  ///< key and value heads that ranks can split; 0: a latent row, which all hold
  double attended = 0;  ///< most tokens that a token attends to; 0: all before it
  double indexed = 0;   ///< values that choose them, of all tokens before it
  double flops = 0;     ///< of one new token for each token that it attends to, in one layer

  double tokens(double context) const {
    return attended > 0 && attended < context ? attended : context;
  }
};

/// Equal mixtures of experts.
struct CachedExperts {
  double layers = 0;
  double parameters = 0;  ///< of all experts of one layer
  TokenRouting routing{};

  /// Share of the experts that `tokens` use, if routers choose evenly and independently:
  /// 1 - (1 - k/E)^tokens.
  double touched(double tokens) const;
};

/// A text model as an engine runs it, one token of each sequence at a time: without layers that
/// only predict further tokens.
struct Decoder {
  double hidden = 0;
  double branches = 0;       ///< residual branches, each of which ends in one exchange of the ranks
  double parameters = 0;     ///< read for every token: all but experts and the embedding
  double embedding = 0;      ///< parameters that are held and not read; 0 if the head shares them
  double state = 0;          ///< values of a sequence that do not grow with it (state spaces)
  std::vector<int> heads{};  ///< of each kind of layer that ranks split by heads
  std::vector<CachedAttention> attention{};
  std::vector<CachedExperts> experts{};

  double expert_parameters() const;
  double all_parameters() const { return parameters + embedding + expert_parameters(); }
  /// Parameters of the experts that one token uses.
  double active_expert_parameters() const;
  /// Cached values of a sequence of so many tokens, without `state`.
  double cached_values(double tokens) const;
};

/// InputError if the model is not one of texts.
Decoder decoder_of(const Model&);

}  // namespace rollout
}  // namespace tofn
