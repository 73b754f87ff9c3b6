#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microbench/compute/shape.hpp"

namespace tofn::bench {

/// A layer of the synthetic step, with the samples of one rank.
struct StepLayer {
  std::vector<GemmShape> forward;
  bool has_input_gradients = true;  ///< the backward pass has a product for each forward one
  bool has_weight_gradients = true;
  std::size_t gradients = 0;  ///< elements that the ranks reduce
};

/// Work of a rank in one data-parallel training step: products, reductions and updates.
struct StepProblem {
  std::string workload;
  std::string plan;
  std::string type;  ///< of the products
  int samples = 1;   ///< of a rank in one pass
  int passes = 1;    ///< forward and backward passes before the gradients are reduced
  int scale = 1;     ///< one of `scale` equal layers is kept
  double bucket_bytes = 0;
  double share_of_flops = 1;      ///< share of the kept layers' FLOPs that are products here
  std::vector<StepLayer> layers;  ///< in forward order

  double flops() const;           ///< of one step of one rank
  std::size_t gradients() const;  ///< elements
};

/// Parts of a step that are run, to measure what overlaps.
enum class StepMode { Overlapped, Sequential, Compute, Communicate };
inline constexpr std::array<std::pair<std::string_view, StepMode>, 4> step_modes{
    {{"backward", StepMode::Overlapped},        // buckets are reduced while backward goes on
     {"nothing", StepMode::Sequential},         // they are reduced after it
     {"compute", StepMode::Compute},            // no communication
     {"communicate", StepMode::Communicate}}};  // nothing else

}  // namespace tofn::bench
