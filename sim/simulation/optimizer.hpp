#pragma once

#include "sim/simulation/layer_pass.hpp"

namespace tofn {
inline namespace simulation {

/// Trainable parameters of one rank, split by the ranks that hold the same ones.
struct TrainedParameters {
  double dense = 0;
  double experts = 0;
  Flops orthogonalised{};  ///< one Newton-Schulz step over the dense matrices
  Flops experts_orthogonalised{};
};

/// Time of one optimizer step on the rank's share of the parameters. The stack's `optimizer_bytes`
/// hold for AdamW and are scaled for other optimizers by the bytes that their updates move. Muon
/// assigns whole matrices to the ranks that share them (assumed: its communication is not counted).
/// With offload, gradients travel to the host, which updates the parameters and returns them.
Seconds optimizer_time(const TrainedParameters&, const Machine&);

}  // namespace simulation
}  // namespace tofn
