#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/traced_kernel.hpp"

namespace tofn {
inline namespace measurements {

/// Whether the text begins as a trace of PyTorch's profiler (Kineto).
bool is_kineto(std::string_view text);

/// Kernels, copies and steps of such a trace. InputError where it is no JSON, or holds no kernels.
KernelTrace read_kineto(std::string_view text, const std::string& file);

/// Kernels of one kind together.
struct KernelShare {
  std::string_view kind;  ///< `products`, `attention`, ..., `communication`
  int kernels = 0;
  double seconds = 0;  ///< a device, kernels beside each other counted each
};

/// Where the time of a device goes; means over the devices of the trace.
struct TraceSummary {
  int devices = 0;
  double span = 0;                   ///< s from the first kernel to the end of the last
  double busy = 0;                   ///< s with any kernel
  double exposed = 0;                ///< s with communication and nothing beside it
  double hidden = 0;                 ///< s with communication beside other kernels
  double gaps = 0;                   ///< s without a kernel: waiting for the host
  std::vector<KernelShare> kinds{};  ///< the longest first
};

/// Asks for at least one kernel.
TraceSummary summary_of(const KernelTrace&);

}  // namespace measurements
}  // namespace tofn
