#pragma once

#include <memory>
#include <string>

#include "microbench/collective/backend.hpp"
#include "microbench/cuda/device.hpp"

namespace tofn::bench {

struct NcclOptions {
  bool cuda_graph = false;  ///< the calls of a sample are replayed as one graph
  bool registered = false;  ///< buffers from ncclMemAlloc, registered: since NCCL 2.19
  bool symmetric = false;   ///< buffers from ncclMemAlloc, in a symmetric window: since NCCL 2.28
  bool device_api = false;  ///< this program's own kernels on such buffers: since NCCL 2.28
  bool has_windows() const { return symmetric || device_api; }
};

/// NCCL's collectives between GPUs. The device must outlive it. Throws InputError for an option
/// that this NCCL lacks, or that differs from its headers.
std::unique_ptr<Backend> nccl_backend(Device&, const NcclOptions&);

/// Name and version, such as `NCCL 2.28.9`.
std::string nccl_library();

}  // namespace tofn::bench
