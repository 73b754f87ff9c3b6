#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/quantity.hpp"
#include "sim/rollout/decoder.hpp"
#include "sim/rollout/engine_layout.hpp"

namespace tofn {
inline namespace rollout {

/// Figures of what an inference engine makes of a chip. Shares are of the datasheet's rates, 0..1.
/// The values are fitted to the rows of configs/measured/decode-rates.csv (`fit_engine`), and the
/// host's time to those of configs/measured/rl-steps.csv.
struct EngineFigures {
  double memory_share = 0.671;   ///< of the memory's bandwidth, by weights and caches
  double product_share = 0.525;  ///< of the peak, by dense products and attention
  double expert_share = 0.096;   ///< of the peak, by the products of experts
  Seconds branch{30.5e-6};       ///< launches of one residual branch: attention or feed-forward
  Seconds sequence{15.7e-6};     ///< sampling and scheduling of one sequence, each iteration
  Seconds host{};                ///< between two iterations, where the host makes the engine wait
};

/// Shares of the memory that engines take beside training and alone, as in the recipes of NeMo RL
/// (github.com/NVIDIA-NeMo/RL@7ea279ab, examples/configs/recipes/llm/performance).
inline constexpr double memory_share_beside_training = 0.6;
inline constexpr double memory_share_alone = 0.8;

/// Parts of the time of one iteration, which gives each live sequence a token.
struct IterationTimes {
  Seconds weights;    ///< products: reading weights or computing, the longer of the two
  Seconds attention;  ///< reading the caches or computing, the longer of the two
  Seconds exchange;   ///< collectives of the ranks
  Seconds overhead;   ///< launches, sampling, host

  Seconds total() const { return weights + attention + exchange + overhead; }
};

/// One inference engine on a cluster where `engines` of them run side by side.
class Engine {
 public:
  Engine(Decoder, const Cluster&, EngineLayout, EngineFigures, int engines = 1);

  /// Time of an iteration over `live` sequences (at least one) of mean length `context`:
  ///   max(weights touched / bandwidth, FLOP / rate) + max(cache / bandwidth, FLOP / rate)
  ///   + branches x (launch + exchange) + sequences x sampling + host.
  IterationTimes iteration(double live, double context) const;
  /// Time to read a prompt of so many tokens, bound by compute.
  Seconds prefill(double tokens) const;

  /// Bytes of weights that one rank holds.
  Bytes weights() const;
  /// Bytes that a rank keeps of a sequence of so many tokens.
  Bytes cache(double tokens) const;
  /// Sequences of so many tokens whose caches the memory holds beside the weights; 0 if none.
  double sequences(double tokens) const;

  /// Fewest ranks that hold a sequence of so many tokens, split alike; absent if none do.
  std::optional<int> fewest_ranks(double tokens) const;

  const EngineLayout& layout() const { return layout_; }
  const EngineFigures& figures() const { return figures_; }
  const Decoder& decoder() const { return decoder_; }

 private:
  Seconds exchange(double sequences) const;
  double attention_bytes(double sequences, double context) const;

  Decoder decoder_;
  Accelerator chip_;
  EngineLayout layout_;
  EngineFigures figures_;
  std::array<Seconds, 18> exchanges_{};  ///< of one branch at 1, 2, 4, ... sequences
};

}  // namespace rollout
}  // namespace tofn
