#pragma once

#include <cstddef>

namespace tofn::bench {

/// Sums gradients over all ranks while the processor goes on computing.
class GradientReducer {
 public:
  virtual ~GradientReducer() = default;
  /// Sums `count` fp32 in place, after what the processor has been given so far and beside what it
  /// is given later.
  virtual void start(float* gradients, std::size_t count) = 0;
  /// Lets what was started go on, where the library needs to be called for that. Cheap.
  virtual void poll() = 0;
  /// What the processor is given after this comes after every reduction started.
  virtual void finish() = 0;
};

}  // namespace tofn::bench
