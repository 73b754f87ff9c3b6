// Emulates devices, their memory and their errors.
#include <cstdio>
#include <cstring>

#include <cuda_runtime_api.h>

#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/refusal_by_name.hpp"
#include "tests/standin/library/thread_error.hpp"

using namespace tofn::standin;

extern "C" {

/// Text with which tofn-bench marks its records; NVIDIA's libraries lack this function.
const char* tofn_gpu_stand_in() {
  return "the tests' stand-in for a GPU; its figures say nothing of any machine";
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = gpu_count();
  return kept(*count == 0 ? cudaErrorNoDevice : cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= gpu_count())
    return kept(gpu_count() == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice);
  use_gpu(device);
  return kept(gpu(device).sticky());
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (device < 0 || device >= gpu_count()) return kept(cudaErrorInvalidDevice);
  *properties = {};
  std::strncpy(properties->name, "stand-in for a GPU", sizeof properties->name - 1);
  properties->major = 9;
  properties->minor = 0;
  properties->totalGlobalMem = gpu(device).arena().capacity();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  if (device < 0 || device >= gpu_count() || text == nullptr || length < 13)
    return kept(cudaErrorInvalidValue);
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0",
                static_cast<unsigned>(device + 1) & 0xffU);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  current_gpu().wait_for_all();
  return kept(current_gpu().sticky());
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = gpu_count() == 0 ? 0 : CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return taken(); }

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorInvalidResourceHandle:
      return "invalid resource handle";
    case cudaErrorInvalidDeviceFunction:
      return "invalid device function";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorIllegalAddress:
      return "an illegal memory access was encountered";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    case cudaErrorECCUncorrectable:
      return "uncorrectable ECC error encountered";
    case cudaErrorStreamCaptureUnsupported:
      return "operation not permitted when stream is capturing";
    case cudaErrorStreamCaptureInvalidated:
      return "operation failed due to a previous error during capture";
    case cudaErrorIllegalState:
      return "the operation cannot be performed in the present state";
    default:
      return "unrecognized error code";
  }
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  *free = current_gpu().arena().unused();
  *total = current_gpu().arena().capacity();
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  *pointer = nullptr;
  if (strikes(Fault::OutOfMemory, current_gpu().number())) return kept(cudaErrorMemoryAllocation);
  *pointer = current_gpu().arena().allocate(bytes);
  return kept(*pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

/// Frees memory of any device after waiting for that device, as CUDA does.
cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  for (int number = 0; number < gpu_count(); ++number) {
    if (gpu(number).arena().at(pointer, 1) == nullptr) continue;
    gpu(number).wait_for_all();
    if (const cudaError_t error = gpu(number).sticky(); error != cudaSuccess) return kept(error);
    return kept(gpu(number).arena().free(pointer) ? cudaSuccess : cudaErrorInvalidValue);
  }
  return kept(cudaErrorInvalidValue);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  Gpu& device = current_gpu();
  if (bytes > 0 && device.arena().at(pointer, bytes) == nullptr) return kept(cudaErrorInvalidValue);
  device.put(device.default_queue(),
             {.act = [=](Gpu& gpu) { gpu.arena().fill(gpu.at(pointer, bytes), value, bytes); },
              .waits_for = {},
              .notes = {}});
  return cudaSuccess;
}

/// Copies memory that is not pinned. To the device it returns once the bytes are read, before they
/// arrive; from the device it returns once they have arrived.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (const cudaError_t error = obstacle(); error != cudaSuccess) return kept(error);
  Gpu& device = current_gpu();
  const bool to_device = kind == cudaMemcpyHostToDevice;
  if (!to_device && kind != cudaMemcpyDeviceToHost)
    refuse("cudaMemcpy", "of kind " + std::to_string(kind) + " is not emulated");
  if (bytes == 0) return cudaSuccess;
  for (int number = 0; number < gpu_count(); ++number)
    if (gpu(number).arena().at(to_device ? from : to, 1) != nullptr)
      return kept(cudaErrorInvalidValue);
  if (device.arena().at(to_device ? to : from, bytes) == nullptr)
    return kept(cudaErrorInvalidValue);
  if (to_device) {
    const auto* first = static_cast<const std::byte*>(from);
    device.put(
        device.default_queue(),
        {.act = [to, copy = std::vector<std::byte>(first, first + bytes)](
                    Gpu& gpu) { std::memcpy(gpu.at(to, copy.size()), copy.data(), copy.size()); },
         .waits_for = {},
         .notes = {}});
    return cudaSuccess;
  }
  const auto done = std::make_shared<Recording>();
  device.put(device.default_queue(),
             {.act = [=](Gpu& gpu) { std::memcpy(to, gpu.at(from, bytes), bytes); },
              .waits_for = {},
              .notes = done});
  device.wait_for(*done);
  return kept(device.sticky());
}

}  // extern "C"
