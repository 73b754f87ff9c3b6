#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microbench/compute/shape.hpp"

namespace tofn::bench {

/// A layer of the synthetic step, at the samples of one rank.
struct StepLayer {
  std::vector<GemmShape> forward;
  bool has_input_gradients = true;  ///< a product of each forward one in the backward pass
  bool has_weight_gradients = true;
  std::size_t gradients = 0;  ///< elements that the ranks reduce
};

/// One data-parallel training step: what a rank multiplies, reduces and updates.
struct StepProblem {
  std::string workload;
  std::string plan;
  std::string type;  ///< of the products
  int samples = 1;   ///< of a rank in one pass
  int passes = 1;    ///< forward and backward passes before the gradients are reduced
  int scale = 1;     ///< of so many equal layers one is kept
  double bucket_bytes = 0;
  double share_of_flops = 1;  ///< of the kept layers' that are products here; the rest is left out
  std::vector<StepLayer> layers;  ///< in forward order

  double flops() const;           ///< of one step of one rank
  std::size_t gradients() const;  ///< elements
};

/// What of a step is done: everything, or less, to tell what hides what.
enum class StepMode { Overlapped, Sequential, Compute, Communicate };
inline constexpr std::array<std::pair<std::string_view, StepMode>, 4> step_modes{
    {{"backward", StepMode::Overlapped},        // buckets are reduced while backward goes on
     {"nothing", StepMode::Sequential},         // they are reduced after it
     {"compute", StepMode::Compute},            // no communication
     {"communicate", StepMode::Communicate}}};  // nothing else

}  // namespace tofn::bench
