#pragma once

#include <string>
#include <vector>

namespace tofn {

/// A kernel or copy on an accelerator, as a profiler saw it.
struct TracedKernel {
  std::string name;
  int device = 0;
  double start = 0;  ///< s
  double seconds = 0;
};

/// What a profiler saw of a piece of a run.
struct KernelTrace {
  std::vector<TracedKernel> kernels{};
  std::vector<double> steps{};  ///< s, where the profiler marked them
};

}  // namespace tofn
