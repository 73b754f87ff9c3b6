#pragma once

#include <span>
#include <vector>

#include "sim/model/stages.hpp"
#include "sim/simulation/layer_pass.hpp"
#include "sim/simulation/plan_gradients.hpp"

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

/// Times of the layers of a model on one kind of hardware, without data-parallel traffic.
struct TimedLayers {
  Machine machine;
  std::span<const LayerTimes> times;
};

struct StageTimes {
  std::vector<ChunkTimes> chunks;
  Seconds parameters;  ///< all-gather of parameters after the step
  Seconds optimizer;
};

/// Activations that reach a chunk in parts, which its ranks gather within the node: those received
/// over the link in each direction. Zero within a stage, where nothing is split.
struct ReceivedParts {
  Bytes forward, backward;

  bool operator==(const ReceivedParts&) const = default;
};

/// Makes the stages of one kind of hardware. Equal chunks are computed once. Adds the
/// collectives of its stages to `answered`. Its arguments must outlive it.
class StageMaker {
 public:
  StageMaker(std::span<const LayerWork> layers, const PlacedLayers& placed,
             const TimedLayers& timed, AnsweredCollectives& answered)
      : layers_(layers),
        placed_(placed),
        timed_(timed),
        answered_(answered),
        gradients_(timed.machine, answered) {}

  StageTimes stage(int index);

 private:
  struct Chunk {
    std::span<const LayerShare> held;
    ReceivedParts received;
    ChunkTimes times;
    Seconds parameters;  ///< all-gather of parameters after the step
  };
  const Chunk& chunk(std::size_t virtual_stage);
  ReceivedParts received_by(std::size_t virtual_stage) const;

  std::span<const LayerWork> layers_;
  const PlacedLayers& placed_;
  const TimedLayers& timed_;
  AnsweredCollectives& answered_;
  PlanGradients gradients_;
  std::vector<Chunk> chunks_;
};

}  // namespace simulation
}  // namespace tofn
