#include "microbench/app/rig.hpp"

#include <string_view>

#include "sim/core/error.hpp"
#ifdef TOFN_HAS_MPI
#include "microbench/mpi/mpi_backend.hpp"
#include "microbench/mpi/mpi_team.hpp"
#endif
#ifdef TOFN_HAS_NCCL
#include "microbench/cuda/cuda_processor.hpp"
#include "microbench/cuda/device_buffer.hpp"
#include "microbench/cuda/nvml.hpp"
#include "microbench/nccl/nccl_backend.hpp"
#endif
#ifdef TOFN_HAS_CPU
#include "microbench/cpu/cpu_processor.hpp"
#endif

namespace tofn::bench {

// If a library was not built in, functions of the same names refuse its use.

#ifndef TOFN_HAS_NCCL
class Device {};
#endif

namespace {

[[noreturn, maybe_unused]] void refuse_missing(std::string_view what, std::string_view option) {
  throw InputError("this tofn-bench was built without " + std::string(what) +
                   ": install it and configure with -D" + std::string(option) + "=ON");
}

#ifdef TOFN_HAS_NCCL
std::unique_ptr<Device> open_device(int local_rank, int ranks_on_node) {
  return std::make_unique<Device>(local_rank, ranks_on_node);
}
std::unique_ptr<Monitor> open_monitor(const Device& device) {
  return nvml_monitor(device.bus_id());
}
RecordTexts description_of(const Device& device) { return device.description(); }
std::string text_of(const Device& device) { return device.model() + ", " + device.bus_id(); }
std::optional<std::string> stand_in_for_gpu() { return gpu_stand_in(); }
std::unique_ptr<Backend> open_nccl(Device& device, const BackendChoice& choice) {
  return nccl_backend(device, {.cuda_graph = choice.cuda_graph,
                               .registered = choice.registered,
                               .symmetric = choice.symmetric,
                               .device_api = choice.device_api});
}
std::unique_ptr<Processor> open_gpu(Device& device) { return cuda_processor(device); }
int count_gpus() { return device_count(); }
RecordTexts gpu_versions() {
  RecordTexts versions{
      {"cuda", cuda_runtime()}, {"cuda_driver", cuda_driver()}, {"nccl", nccl_library()}};
  if (const auto driver = nvidia_driver()) versions.emplace_back("nvidia_driver", *driver);
  return versions;
}
#else
[[noreturn]] void refuse_gpu() { refuse_missing("CUDA and NCCL", "TOFN_NCCL"); }
std::unique_ptr<Device> open_device(int, int) { refuse_gpu(); }
std::unique_ptr<Monitor> open_monitor(const Device&) { return nullptr; }
RecordTexts description_of(const Device&) { return {}; }
std::string text_of(const Device&) { return {}; }
std::optional<std::string> stand_in_for_gpu() { return {}; }
std::unique_ptr<Backend> open_nccl(Device&, const BackendChoice&) { refuse_gpu(); }
std::unique_ptr<Processor> open_gpu(Device&) { refuse_gpu(); }
int count_gpus() { refuse_gpu(); }
RecordTexts gpu_versions() { return {}; }
#endif

#if defined(TOFN_HAS_MPI) && defined(TOFN_HAS_NCCL)
MpiMemory mpi_device_memory() {
  if (!is_cuda_aware())
    throw InputError(
        {}, "--memory",
        "this MPI does not read GPU memory (" + mpi_library() + " is not CUDA-aware): choose host");
  return {.name = "device",
          .allocate = [](std::size_t bytes) { return std::make_unique<DeviceBuffer>(bytes); },
          .free_bytes = free_device_memory};
}
#elif defined(TOFN_HAS_MPI)
MpiMemory mpi_device_memory() { refuse_missing("CUDA and NCCL", "TOFN_NCCL"); }
#endif

#ifdef TOFN_HAS_MPI
std::unique_ptr<Backend> open_mpi(const BackendChoice& choice, int ranks_on_node) {
  return mpi_backend(choice.memory == "device" ? mpi_device_memory() : host_memory(ranks_on_node));
}
RecordTexts mpi_versions() { return {{"mpi", mpi_library()}}; }
#else
std::unique_ptr<Backend> open_mpi(const BackendChoice&, int) { refuse_missing("MPI", "TOFN_MPI"); }
RecordTexts mpi_versions() { return {}; }
#endif

#ifdef TOFN_HAS_CPU
std::unique_ptr<Processor> open_cpu(int ranks_on_node) { return cpu_processor(ranks_on_node); }
RecordTexts blas_versions() { return {{"blas", blas_library()}}; }
#else
std::unique_ptr<Processor> open_cpu(int) { refuse_missing("OpenBLAS", "TOFN_BLAS"); }
RecordTexts blas_versions() { return {}; }
#endif

}  // namespace

Rig::Rig(bool takes_gpu, int local_rank, int ranks_on_node) : ranks_on_node_(ranks_on_node) {
  if (!takes_gpu) return;
  device_ = open_device(local_rank, ranks_on_node);
  monitor_ = open_monitor(*device_);
}

Rig::~Rig() = default;

std::string Rig::device() const { return device_ ? text_of(*device_) : std::string{}; }

RecordTexts Rig::description() const { return device_ ? description_of(*device_) : RecordTexts{}; }

std::optional<std::string> Rig::stand_in() const {
  return device_ ? stand_in_for_gpu() : std::nullopt;
}

std::unique_ptr<Backend> Rig::backend(const BackendChoice& choice) const {
  return choice.name == "mpi" ? open_mpi(choice, ranks_on_node_) : open_nccl(*device_, choice);
}

std::unique_ptr<Processor> Rig::processor() const {
  return device_ ? open_gpu(*device_) : open_cpu(ranks_on_node_);
}

int usable_gpus() { return count_gpus(); }

RecordTexts library_versions() {
  RecordTexts versions;
  for (const auto& some : {mpi_versions(), gpu_versions(), blas_versions()})
    versions.insert(versions.end(), some.begin(), some.end());
  return versions;
}

}  // namespace tofn::bench
