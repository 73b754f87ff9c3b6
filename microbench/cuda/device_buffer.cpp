#include "microbench/cuda/device_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "microbench/cuda/cuda_call.hpp"
#include "microbench/cuda/device.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn::bench {
namespace {

DeviceMemory allocated(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&memory, std::max<std::size_t>(bytes, 1));
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw std::runtime_error(fmt::format("cudaMalloc: out of memory: {} asked for, {} free",
                                         to_text(Bytes(static_cast<double>(bytes))),
                                         to_text(Bytes(free_device_memory()))));
  }
  check_cuda(code, "cudaMalloc");
  return {static_cast<std::byte*>(memory), [](std::byte* pointer) { cudaFree(pointer); }};
}

/// Waits for the GPU, because other streams and the default stream's copies do not wait for each
/// other.
void settle() { check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

}  // namespace

DeviceBuffer::DeviceBuffer(std::size_t bytes) : DeviceBuffer(allocated(bytes), bytes) {}

DeviceBuffer::DeviceBuffer(DeviceMemory memory, std::size_t bytes)
    : memory_(std::move(memory)), size_(bytes) {
  check_cuda(cudaMemset(memory_.get(), 0, size_), "cudaMemset");
  settle();
}

void DeviceBuffer::write(std::size_t offset, std::span<const std::byte> bytes) {
  assert(offset + bytes.size() <= size_);
  settle();
  check_cuda(cudaMemcpy(memory_.get() + offset, bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
             "cudaMemcpy to the device");
  settle();
}

std::vector<std::byte> DeviceBuffer::read(std::size_t offset, std::size_t bytes) {
  assert(offset + bytes <= size_);
  std::vector<std::byte> copy(bytes);
  settle();
  check_cuda(cudaMemcpy(copy.data(), memory_.get() + offset, bytes, cudaMemcpyDeviceToHost),
             "cudaMemcpy from the device");
  return copy;
}

}  // namespace tofn::bench
