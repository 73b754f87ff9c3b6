#pragma once

#include <cstddef>

namespace tofn::bench {

/// Sums gradients over all ranks while the processor continues to compute.
class GradientReducer {
 public:
  virtual ~GradientReducer() = default;
  /// Sums `count` fp32 values in place, after all work enqueued on the processor so far, and
  /// concurrently with later work.
  virtual void start(float* gradients, std::size_t count) = 0;
  /// Lets started reductions proceed if the library must be called for that. Cheap.
  virtual void poll() = 0;
  /// Orders all later work of the processor after every started reduction.
  virtual void finish() = 0;
};

}  // namespace tofn::bench
