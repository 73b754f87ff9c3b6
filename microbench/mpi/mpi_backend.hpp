#pragma once

#include <functional>
#include <memory>

#include "microbench/collective/backend.hpp"

namespace tofn::bench {

/// Where an MPI backend takes its memory from.
struct MpiMemory {
  std::string name = "host";
  std::function<std::unique_ptr<Buffer>(std::size_t bytes)> allocate;
  std::function<double()> free_bytes;
};
/// Of a host that so many ranks share.
MpiMemory host_memory(int ranks_on_host);

/// MPI's collectives. Of device memory the library must be CUDA-aware: see is_cuda_aware().
std::unique_ptr<Backend> mpi_backend(MpiMemory memory);

/// What the library says of itself, where it says anything.
bool is_cuda_aware();

}  // namespace tofn::bench
