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
  /// Adds the collectives to `answered`. Both arguments must outlive it.
  PlanGradients(const Machine&, AnsweredCollectives& answered);

  /// Returns the layers of a chunk in forward order, with their gathers and reductions. `times`: of
  /// each kind of layer, without this traffic. Copies of a layer come apart if only some of them
  /// fill a bucket. Adds to `after` the traffic that follows the optimizer step (ZeRO 1 and 2:
  /// updated parameters).
  std::vector<LayerTimes> layers(std::span<const LayerShare>, std::span<const LayerWork>,
                                 std::span<const LayerTimes> times, Seconds& after) const;

 private:
  /// Kinds of parameters: dense ones and experts', each shared by the ranks that hold the same
  /// ones.
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
  AnsweredCollectives& answered_;
  std::array<GradientGroups, kinds> groups_;
  std::span<const SyncStep> reductions_;
  /// Exchange that gathers parameters; null if they are not sharded.
  const SyncStep* parameters_ = nullptr;
};

}  // namespace simulation
}  // namespace tofn
