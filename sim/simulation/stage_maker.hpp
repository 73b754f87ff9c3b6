#pragma once

#include <span>
#include <vector>

#include "sim/model/stages.hpp"
#include "sim/simulation/optimizer.hpp"
#include "sim/simulation/plan_gradients.hpp"

namespace tofn {
inline namespace simulation {

/// What the layers of a model cost on one kind of hardware, data-parallel traffic left out.
struct TimedLayers {
  Machine machine;
  std::span<const LayerTimes> times;
};

struct StageTimes {
  std::vector<ChunkTimes> chunks;
  Seconds parameters;  ///< their all-gather after the step
  Seconds optimizer;
};

/// What reaches a chunk in parts that its ranks gather in the node: each way, the activations that
/// came over the link, as a layer's boundary; none within a stage, where nothing was split.
struct ReceivedParts {
  Bytes forward, backward;

  bool operator==(const ReceivedParts&) const = default;
};

/// The stages of one kind of hardware. Most chunks hold what others hold: each is worked out once.
/// What it is made from must outlive it.
class StageMaker {
 public:
  StageMaker(std::span<const LayerWork> layers, const PlacedLayers& placed,
             const TimedLayers& timed)
      : layers_(layers), placed_(placed), timed_(timed), gradients_(timed.machine) {}

  StageTimes stage(int index);

 private:
  struct Chunk {
    std::span<const LayerShare> held;
    ReceivedParts received;
    ChunkTimes times;
    Seconds parameters;  ///< their all-gather after the step
  };
  const Chunk& chunk(std::size_t virtual_stage);
  ReceivedParts received_by(std::size_t virtual_stage) const;
  void add(TrainedParameters&, std::span<const LayerShare> held) const;

  std::span<const LayerWork> layers_;
  const PlacedLayers& placed_;
  const TimedLayers& timed_;
  PlanGradients gradients_;
  std::vector<Chunk> chunks_;
};

}  // namespace simulation
}  // namespace tofn
