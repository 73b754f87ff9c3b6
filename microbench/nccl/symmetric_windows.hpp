#pragma once

#include <cstddef>
#include <vector>

#include <nccl.h>

namespace tofn::bench {

#if NCCL_VERSION_CODE < NCCL_VERSION(2, 27, 0)
using ncclWindow_t = void*;  // such an NCCL has none
#endif

constexpr const char* no_symmetric_memory =
    "NCCL makes no symmetric memory of these ranks: their GPUs must be of one domain of NVLink, as "
    "those of a node often are (--group node), with cuMem, and NCCL_WIN_ENABLE must not be 0";

/// Location of an address in a window. Kernels take this, because it is valid on every rank.
struct WindowPlace {
  ncclWindow_t window = nullptr;
  std::size_t offset = 0;  ///< bytes
};

/// Windows of one group that contain memory of this rank.
class SymmetricWindows {
 public:
  void add(ncclWindow_t window, const std::byte* start, std::size_t bytes);
  void remove(ncclWindow_t window);
  /// Throws std::logic_error if no window contains the address.
  WindowPlace place_of(const void* address) const;

 private:
  struct Span {
    ncclWindow_t window;
    const std::byte* start;
    std::size_t bytes;
  };
  std::vector<Span> spans_;
};

}  // namespace tofn::bench
