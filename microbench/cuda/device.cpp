#include "microbench/cuda/device.hpp"

#include <array>
#include <cassert>
#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>

#include "microbench/cuda/cuda_call.hpp"
#include "microbench/harness/machine.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

/// Advice if CUDA_VISIBLE_DEVICES is set: a launcher may have given each rank its own GPU.
std::string hint() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");  // NOLINT(concurrency-mt-unsafe)
  if (visible == nullptr) return {};
  return fmt::format(" and let it see them all: CUDA_VISIBLE_DEVICES is '{}'", visible);
}

int taken(int local_rank, int ranks_on_host) {
  assert(local_rank < ranks_on_host);
  const int gpus = device_count();
  if (ranks_on_host > gpus)
    throw InputError(fmt::format("host {}: {} ranks for {}; start one rank per GPU{}", host_name(),
                                 ranks_on_host, counted(gpus, "GPU"), hint()));
  check_cuda(cudaSetDevice(local_rank), "cudaSetDevice");
  return local_rank;
}

cudaDeviceProp properties_of(int number) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  return properties;
}

/// Version of CUDA, which counts 13.0 as 13000; 0 means none.
std::string version_text(int version) {
  return version == 0 ? "none" : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace

int device_count() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  throw InputError(std::string("no CUDA device: ") +
                   cudaGetErrorString(code == cudaSuccess ? cudaErrorNoDevice : code));
}

Device::Device(int local_rank, int ranks_on_host)
    : number_(taken(local_rank, ranks_on_host)), properties_(properties_of(number_)) {}

void Device::use() const { check_cuda(cudaSetDevice(number_), "cudaSetDevice"); }

std::string Device::bus_id() const {
  std::array<char, 32> text{};
  check_cuda(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), number_),
             "cudaDeviceGetPCIBusId");
  return text.data();
}

int Device::capability() const { return 10 * properties_.major + properties_.minor; }

RecordTexts Device::description() const {
  const auto memory = static_cast<double>(properties_.totalGlobalMem);
  return {{"gpu", model()},
          {"gpu_memory", to_text(Bytes(memory))},
          {"compute_capability", capability_text(capability())}};
}

std::string capability_text(int capability) {
  return fmt::format("{}.{}", capability / 10, capability % 10);
}

double free_device_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check_cuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return static_cast<double>(free);
}

std::string cuda_runtime() {
  int version = 0;
  check_cuda(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  return version_text(version);
}

std::string cuda_driver() {
  int version = 0;
  check_cuda(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  return version_text(version);
}

std::optional<std::string> gpu_stand_in() {
  using Words = const char*();
  auto* words = reinterpret_cast<Words*>(dlsym(RTLD_DEFAULT, "tofn_gpu_stand_in"));
  if (words == nullptr) return {};
  return words();
}

}  // namespace tofn::bench
