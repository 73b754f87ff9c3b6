#pragma once

#include <memory>
#include <string>

#include "microbench/collective/backend.hpp"
#include "microbench/cuda/device.hpp"

namespace tofn::bench {

struct NcclOptions {
  bool cuda_graph = false;  ///< the calls of a sample are replayed as one graph
  bool registered = false;  ///< buffers by ncclMemAlloc, registered: since NCCL 2.19
  bool symmetric = false;   ///< buffers by ncclMemAlloc, in a symmetric window: since NCCL 2.28
  bool device_api = false;  ///< kernels of this program's own, on such buffers: since NCCL 2.28
  bool has_windows() const { return symmetric || device_api; }
};

/// NCCL's collectives between GPUs. The device must outlive it. Throws InputError for an option
/// that this NCCL does not have, or does not have as its headers say.
std::unique_ptr<Backend> nccl_backend(Device&, const NcclOptions&);

/// `NCCL 2.28.9`
std::string nccl_library();

}  // namespace tofn::bench
