// Emulates kernels as nvcc's host code registers and launches them: the name of each finds its
// twin.
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/host_twin.hpp"
#include "tests/standin/library/refusal_by_name.hpp"
#include "tests/standin/library/thread_error.hpp"

namespace tofn::standin {
namespace {

/// Name such as `fill<float>`, from `void tofn::bench::(anonymous namespace)::fill<float>(float*,
/// unsigned long)`.
std::string kernel_name(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  const std::string anonymous = "(anonymous namespace)::";
  if (const auto at = name.find(anonymous); at != std::string::npos)
    name = name.substr(at + anonymous.size());
  return name.substr(0, name.find('('));
}

struct Kernel {
  std::string name;
  Twin twin;
};

struct Kernels {
  std::mutex mutex;
  std::map<const void*, Kernel> by_function;
};

Kernels& kernels() {
  static auto* const all = new Kernels;
  return *all;
}

const Kernel* kernel_of(const void* function) {
  const std::lock_guard lock(kernels().mutex);
  const auto found = kernels().by_function.find(function);
  return found == kernels().by_function.end() ? nullptr : &found->second;
}

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
thread_local Configuration pushed;

cudaError_t launch(const Kernel& kernel, const Configuration& with, void** arguments) {
  Queue* queue = nullptr;
  if (const cudaError_t error = find(with.stream, queue); error != cudaSuccess) return error;
  if (&queue->gpu != &current_gpu()) return cudaErrorInvalidResourceHandle;
  const Launch launched{.blocks = with.grid.x, .threads = std::size_t{with.block.x} * with.grid.x};
  if (launched.threads == 0 || with.block.x > 1024) return cudaErrorInvalidConfiguration;
  if (with.grid.y * with.grid.z * with.block.y * with.block.z != 1 || with.shared != 0)
    refuse(kernel.name, "a grid of several dimensions, or shared memory, is not emulated");
  if (kernel.twin == nullptr) refuse(kernel.name, "this kernel has no row in host_twin.cpp");
  queue->gpu.put(*queue, {.act =
                              [act = kernel.twin(arguments, launched)](Gpu& gpu) {
                                if (strikes(Fault::EccError, gpu.number()))
                                  return gpu.fail(cudaErrorECCUncorrectable);
                                if (strikes(Fault::AsynchronousError, gpu.number()))
                                  return gpu.fail(cudaErrorLaunchFailure);
                                act(gpu);
                              },
                          .waits_for = {},
                          .notes = {}});
  return queue->gpu.sticky();
}

}  // namespace
}  // namespace tofn::standin

using namespace tofn::standin;

extern "C" {

void** __cudaRegisterFatBinary(void* binary) {
  static void* handle = nullptr;
  handle = binary;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
void __cudaUnregisterFatBinary(void** /*handle*/) {}

void __cudaRegisterFunction(void** /*handle*/, const char* function, char* /*device_function*/,
                            const char* name, int /*thread_limit*/, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const std::string kernel = kernel_name(name);
  const std::lock_guard lock(kernels().mutex);
  kernels().by_function[function] = {.name = kernel, .twin = twin_of(kernel)};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     struct CUstream_st* stream) {
  pushed = {.grid = grid, .block = block, .shared = shared, .stream = stream};
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *static_cast<cudaStream_t*>(stream) = pushed.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  const Kernel* kernel = kernel_of(function);
  if (kernel == nullptr) return kept(cudaErrorInvalidDeviceFunction);
  return kept(launch(*kernel, {.grid = grid, .block = block, .shared = shared, .stream = stream},
                     arguments));
}

/// Returns a handle for launches. Since CUDA 13 nvcc's code looks a kernel up once and launches by
/// its handle.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared,
                          stream);
}

}  // extern "C"
