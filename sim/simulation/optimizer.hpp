#pragma once

#include "sim/simulation/layer_pass.hpp"

namespace tofn {
inline namespace simulation {

/// Parameters of one rank that train, by the ranks that hold the same ones.
struct TrainedParameters {
  double dense = 0;
  double experts = 0;
  Flops orthogonalised{};  ///< one Newton-Schulz step over those that are matrices
  Flops experts_orthogonalised{};
};

/// One optimizer step on the rank's share of them; the stack's `optimizer_bytes` are AdamW's, of
/// others as much more or less as their updates move. Matrices that Muon orthogonalises are dealt
/// whole to the ranks that share them (assumed: what it sends for that is not counted). Offloaded,
/// gradients travel to the host, which steps, and parameters back.
Seconds optimizer_time(const TrainedParameters&, const Machine&);

}  // namespace simulation
}  // namespace tofn
