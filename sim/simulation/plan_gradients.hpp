#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "sim/cluster/communicator.hpp"
#include "sim/core/answered_collectives.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/layer_pass.hpp"
#include "sim/workload/workload.hpp"

// How gradients leave: the layers that fill a bucket together, and the cost of a bucket's
// exchanges. Every step takes its gradient time from here, whatever gives its kernel times.

namespace tofn {
inline namespace simulation {

/// Collective and payload of compressed gradients, and the memory traffic of compressing them.
struct CompressedGradients {
  CollectiveKind collective = CollectiveKind::AllReduce;
  Bytes payload;
  Bytes traffic;  ///< of the kernels that compress and restore
};

/// Compresses gradients of `parameters`, which `ranks` reduce. `gradient_bytes`: bytes of one
/// parameter's gradient without compression.
CompressedGradients compress(GradientCompression, const LayerWork&, double parameters,
                             double gradient_bytes, int ranks);

/// Cost of one exchange of a step's synchronisation. `parameter_size`: bytes of an updated
/// parameter over those of its gradient. Shards lie within the node.
CollectiveCost sync_cost(const SyncStep&, Bytes gradients, double parameter_size,
                         const GradientGroups&, bool in_network_reduction);

/// A run of `count` equal layers, with the bytes of gradients of each.
struct TrainedLayers {
  Bytes gradients;
  int count = 1;
};

/// Next step of a backward pass: `count` copies of a layer, whose gradients enter the bucket.
struct BucketFilling {
  std::size_t layer = 0;
  int count = 1;
  Bytes bytes;          ///< in the bucket after these copies
  bool leaves = false;  ///< true if the bucket leaves after the last copy
  /// Number of collectives it leaves in: more than one if a layer exceeds a bucket.
  double collectives = 1;
};

/// Fills buckets by whole layers, in the order in which a backward pass produces the gradients of
/// `layers` (given in forward order). The last bucket leaves even if it is not full. If `bucket` is
/// zero, each layer leaves by itself.
template <class Visit>
void fill_buckets(std::span<const TrainedLayers> layers, Bytes bucket, const Visit& visit) {
  constexpr double rounding = 1e-9;
  Bytes filled;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const TrainedLayers& layer = layers[i];
    for (int left = layer.count; left > 0;) {
      const double missing = layer.gradients > Bytes{}
                                 ? std::ceil((bucket - filled) / layer.gradients - rounding)
                                 : left;
      const int taken = static_cast<int>(std::clamp(missing, 1.0, 1.0 * left));
      filled += taken * layer.gradients;
      left -= taken;
      const bool is_full = filled >= (1 - rounding) * bucket;
      const bool is_last = i == 0 && left == 0;
      visit(BucketFilling{.layer = i,
                          .count = taken,
                          .bytes = filled,
                          .leaves = is_full || is_last,
                          .collectives = bucket > Bytes{}
                                             ? std::max(1.0, std::floor(filled / bucket + rounding))
                                             : 1});
      if (is_full) filled = {};
    }
  }
}

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
