#pragma once

#include <string>
#include <vector>

namespace tofn {

/// A kernel or copy on an accelerator, as recorded by a profiler.
struct TracedKernel {
  std::string name;
  int device = 0;
  double start = 0;  ///< s
  double seconds = 0;
};

/// Kernels and steps that a profiler recorded in a part of a run.
struct KernelTrace {
  std::vector<TracedKernel> kernels{};
  std::vector<double> steps{};  ///< s; empty if the profiler did not mark steps
};

}  // namespace tofn
