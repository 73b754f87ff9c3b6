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

/// How a library of collectives is asked for.
struct BackendChoice {
  std::string name = "mpi";     ///< `mpi`, `nccl`
  std::string memory = "host";  ///< of the mpi backend: `host`, `device`
  bool cuda_graph = false;      ///< of the nccl backend
  bool registered = false;      ///< of the nccl backend
  bool symmetric = false;       ///< of the nccl backend
  bool device_api = false;      ///< of the nccl backend
};

/// What this rank measures with: the one place that knows what the program was built with.
class Rig {
 public:
  /// Takes the GPU of this local rank where one is asked for. InputError where there is none, or
  /// the program was built without CUDA.
  Rig(bool takes_gpu, int local_rank, int ranks_on_node);
  ~Rig();
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  /// `NVIDIA H100 80GB HBM3, 00000000:19:00.0`; empty without a GPU.
  std::string device() const;
  /// Model, memory and compute capability of this rank's GPU; empty without one.
  RecordTexts description() const;
  /// What stands in for the GPU of a test; absent on a GPU, and without one.
  std::optional<std::string> stand_in() const;
  /// nullptr where nothing can be watched.
  Monitor* monitor() const { return monitor_.get(); }
  /// Only what this rank's choice needs; InputError where it was not built in.
  std::unique_ptr<Backend> backend(const BackendChoice&) const;
  /// The GPU where there is one, else the CPU.
  std::unique_ptr<Processor> processor() const;

 private:
  int ranks_on_node_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Monitor> monitor_;
};

/// GPUs of this host. InputError where there is none, or the program was built without CUDA.
int usable_gpus();

/// Versions of the libraries that were built in: `mpi`, `cuda`, `nccl`, `blas`.
RecordTexts library_versions();

}  // namespace tofn::bench
