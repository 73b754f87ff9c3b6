#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "sim/cluster/communicator.hpp"
#include "sim/core/cost.hpp"
#include "sim/workload/workload.hpp"

// How gradients leave: the layers that fill a bucket together, and what the exchanges of a bucket
// cost. Every step's time of gradients comes from here, whatever its kernel times come from.

namespace tofn {
inline namespace simulation {

/// Ranks that hold the same parameters: all of them, those of one node or domain, one of each.
struct GradientGroups {
  Communicator data, node, between;
};
/// Those of one scale-up domain as the node.
GradientGroups groups_by_domain(const Communicator& data);

/// One exchange of a step's synchronisation. `parameter_size`: bytes of an updated parameter over
/// those of its gradient. Shards lie within the node.
Cost sync_cost(const SyncStep&, Bytes gradients, double parameter_size, const GradientGroups&,
               bool in_network_reduction);

/// `count` layers, each with that many bytes of gradients.
struct TrainedLayers {
  Bytes gradients;
  int count = 1;
};

/// What a backward pass comes to next: `count` copies of a layer.
struct BucketFilling {
  std::size_t layer = 0;
  int count = 1;
  Bytes bytes;             ///< in the bucket, these included
  bool leaves = false;     ///< with the last of them
  double collectives = 1;  ///< in which it leaves: layers larger than a bucket take several
};

/// Fills buckets in the order in which a backward pass makes the gradients of `layers`, which are
/// in the order of a forward pass, by whole layers; what is left at the end leaves as it is. With
/// no `bucket` each layer leaves by itself.
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

}  // namespace simulation
}  // namespace tofn
