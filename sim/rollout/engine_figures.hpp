#pragma once

#include "sim/core/quantity.hpp"

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

}  // namespace rollout
}  // namespace tofn
