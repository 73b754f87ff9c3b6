#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/traced_kernel.hpp"

namespace tofn {
inline namespace formats {

/// True if the text begins like a trace of PyTorch's profiler (Kineto).
bool is_kineto(std::string_view text);

/// Reads kernels, copies and steps of such a trace. InputError if it is not JSON, or has no
/// kernels.
KernelTrace read_kineto(std::string_view text, const std::string& file);

/// Total of all kernels of one kind.
struct KernelShare {
  std::string_view kind;  ///< `products`, `attention`, ..., `communication`
  int kernels = 0;
  double seconds = 0;  ///< per device; concurrent kernels each count
};

/// Time of a device by activity, averaged over the devices of the trace.
struct TraceSummary {
  int devices = 0;
  double span = 0;                   ///< s from the first kernel to the end of the last
  double busy = 0;                   ///< s with any kernel
  double exposed = 0;                ///< s with communication and no other kernel
  double hidden = 0;                 ///< s with communication beside other kernels
  double gaps = 0;                   ///< s without a kernel, waiting for the host
  std::vector<KernelShare> kinds{};  ///< longest first
};

/// Requires at least one kernel.
TraceSummary summary_of(const KernelTrace&);

}  // namespace formats
}  // namespace tofn
