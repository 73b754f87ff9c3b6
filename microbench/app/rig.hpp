#pragma once

#include <memory>
#include <optional>
#include <string>

#include "microbench/collective/backend.hpp"
#include "microbench/compute/processor.hpp"
#include "microbench/harness/monitor.hpp"
#include "sim/core/record.hpp"

namespace tofn::bench {

class Device;

/// Requested library of collectives and its options.
struct BackendChoice {
  std::string name = "mpi";     ///< `mpi`, `nccl`
  std::string memory = "host";  ///< of the mpi backend: `host`, `device`
  bool cuda_graph = false;      ///< of the nccl backend
  bool registered = false;      ///< of the nccl backend
  bool symmetric = false;       ///< of the nccl backend
  bool device_api = false;      ///< of the nccl backend
};

/// The devices and libraries of this rank. Only this class knows what the program was built with.
class Rig {
 public:
  /// Takes the GPU of this local rank if `takes_gpu`. InputError if there is none, or if the
  /// program was built without CUDA.
  Rig(bool takes_gpu, int local_rank, int ranks_on_node);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  /// Model and bus address, such as `NVIDIA H100 80GB HBM3, 00000000:19:00.0`; empty without a GPU.
  std::string device() const;
  /// Model, memory and compute capability of this rank's GPU; empty without one.
  RecordTexts description() const;
  /// Name of a test's stand-in for the GPU; absent on a real GPU, and without one.
  std::optional<std::string> stand_in() const;
  /// Null if nothing can be watched.
  Monitor* monitor() const { return monitor_.get(); }
  /// Makes only what this rank's choice needs; InputError if it was not built in.
  std::unique_ptr<Backend> backend(const BackendChoice&) const;
  /// The GPU if there is one, else the CPU.
  std::unique_ptr<Processor> processor() const;

 private:
  int ranks_on_node_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Monitor> monitor_;
};

/// Number of GPUs of this host. InputError if there is none, or if the program was built without
/// CUDA.
int usable_gpus();

/// Versions of the built-in libraries: `mpi`, `cuda`, `nccl`, `blas`.
RecordTexts library_versions();

}  // namespace tofn::bench
