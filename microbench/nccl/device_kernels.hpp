#pragma once

#include <nccl.h>
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#include <cstddef>

#include <nccl_device.h>

#include "microbench/nccl/symmetric_windows.hpp"

namespace tofn::bench {

/// Arguments of a kernel. Buffers of other ranks are at the same places as this rank's.
struct DeviceCall {
  const ncclDevComm& comm;  ///< with `most_blocks` barriers between all ranks
  WindowPlace send;
  WindowPlace receive;
  std::size_t chunk = 0;  ///< elements of a chunk; of the whole without chunks
  ncclDataType_t type = ncclFloat32;
  cudaStream_t stream = nullptr;
};

/// Blocks that wait for those of other ranks must all run at once, so there are fewer than an A100
/// has multiprocessors (108).
constexpr int most_blocks = 64;

// Each function enqueues one kernel on the stream; std::runtime_error if it cannot be launched.
// Types are fp32, fp16, bf16 and int32.

void enqueue_all_reduce(const DeviceCall&);
void enqueue_reduce_scatter(const DeviceCall&);
void enqueue_all_gather(const DeviceCall&);

}  // namespace tofn::bench
#endif
