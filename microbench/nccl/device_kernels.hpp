#pragma once

#include <nccl.h>
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
#include <cstddef>

#include <nccl_device.h>

#include "microbench/nccl/symmetric_windows.hpp"

namespace tofn::bench {

/// A call as its kernel takes it. What it reaches of other ranks lies where this rank's own does.
struct DeviceCall {
  const ncclDevComm& comm;  ///< with `most_blocks` barriers between all ranks
  WindowPlace send;
  WindowPlace receive;
  std::size_t chunk = 0;  ///< elements of a chunk; of the whole where there are no chunks
  ncclDataType_t type = ncclFloat32;
  cudaStream_t stream = nullptr;
};

/// Blocks that wait for those of other ranks must all be running: fewer than the multiprocessors of
/// an A100, which has 108.
constexpr int most_blocks = 64;

// Each puts one kernel on the stream; std::runtime_error where it cannot be launched. Types are
// fp32, fp16, bf16 and int32.

void enqueue_all_reduce(const DeviceCall&);
void enqueue_reduce_scatter(const DeviceCall&);
void enqueue_all_gather(const DeviceCall&);

}  // namespace tofn::bench
#endif
