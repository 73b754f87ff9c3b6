#pragma once

#include <optional>
#include <string>

#include <cuda_runtime.h>

#include "microbench/cuda/stream.hpp"
#include "sim/core/record.hpp"

namespace tofn::bench {

/// Number of GPUs that this process can use. Throws InputError `no CUDA device: <the driver's
/// reason>` if there is none.
int device_count();

/// The GPU of one rank. The thread that makes it then uses it.
class Device {
 public:
  /// Takes the GPU with this rank's number among the ranks of its host. Throws InputError if the
  /// host has fewer GPUs than ranks, or none.
  Device(int local_rank, int ranks_on_host);

  /// Makes it the GPU of the calling thread.
  void use() const;
  std::string model() const { return properties_.name; }  ///< `NVIDIA H100 80GB HBM3`
  std::string bus_id() const;                             ///< PCI: `0000:19:00.0`
  int capability() const;                                 ///< 90 for compute capability 9.0
  /// Model, memory and compute capability.
  RecordTexts description() const;
  /// Stream for computation.
  cudaStream_t stream() const { return stream_.get(); }

 private:
  int number_;
  cudaDeviceProp properties_;
  CudaStream stream_;
};

/// Compute capability as text: `9.0` for 90.
std::string capability_text(int capability);

/// Free bytes of the calling thread's GPU.
double free_device_memory();

/// Versions of the CUDA runtime and of the driver's CUDA, such as `13.0`, or `none`.
std::string cuda_runtime();
std::string cuda_driver();

/// Name of a test library that stands in for a GPU, from the library itself. Absent on a real GPU.
std::optional<std::string> gpu_stand_in();

}  // namespace tofn::bench
