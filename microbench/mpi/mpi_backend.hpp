#pragma once

#include <functional>
#include <memory>

#include "microbench/collective/backend.hpp"

namespace tofn::bench {

/// Source of memory for an MPI backend.
struct MpiMemory {
  std::string name = "host";
  std::function<std::unique_ptr<Buffer>(std::size_t bytes)> allocate;
  std::function<double()> free_bytes;
};
/// Memory of a host that `ranks_on_host` ranks share.
MpiMemory host_memory(int ranks_on_host);

/// MPI's collectives. For device memory the library must be CUDA-aware: see is_cuda_aware().
std::unique_ptr<Backend> mpi_backend(MpiMemory memory);

/// True if the library states that it is CUDA-aware.
bool is_cuda_aware();

}  // namespace tofn::bench
