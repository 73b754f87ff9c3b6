#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/model/stages.hpp"
#include "sim/simulation/compression.hpp"
#include "sim/simulation/gradients.hpp"
#include "sim/simulation/layer_pass.hpp"

namespace tofn {
inline namespace simulation {

/// Data-parallel traffic of a model's layers on one rank, as the plan shares out what they hold.
class PlanGradients {
 public:
  explicit PlanGradients(const Machine&);

  /// The layers of a chunk, in forward order, with what they gather and reduce: `times` of each
  /// kind of layer, without. Those of which only some fill a bucket come apart. Adds to `after`
  /// what follows the optimizer's step (ZeRO 1 and 2: updated parameters).
  std::vector<LayerTimes> layers(std::span<const LayerShare>, std::span<const LayerWork>,
                                 std::span<const LayerTimes> times, Seconds& after) const;

 private:
  /// Dense parameters, and experts' : each among those who hold the same ones.
  static constexpr std::size_t kinds = 2;
  using Contents = std::array<CompressedGradients, kinds>;

  void fill(Contents&, const LayerWork&, int count) const;
  Seconds reduce(const Contents&, double collectives) const;
  Seconds gather(Bytes dense, Bytes experts, double collectives) const;
  Seconds layer_gather(const LayerWork&) const;
  std::vector<TrainedLayers> trained_layers(std::span<const LayerShare>,
                                            std::span<const LayerWork>) const;
  Bytes bucket(bool reduces_after) const;
  LayerTimes with_collectives(LayerTimes, const LayerWork&, Seconds reduce, Seconds gather) const;

  const Machine& machine_;
  std::array<GradientGroups, kinds> groups_;
  std::span<const SyncStep> reductions_;
  const SyncStep* parameters_ = nullptr;  ///< what gathers them, where they are sharded
};

}  // namespace simulation
}  // namespace tofn
