#pragma once

#include <functional>
#include <memory>

#include "microbench/harness/buffer.hpp"

namespace tofn::bench {

/// Memory of a GPU, freed by the function of its allocator.
using DeviceMemory = std::unique_ptr<std::byte, std::function<void(std::byte*)>>;

/// Zeroed memory of the calling thread's GPU. Copies wait for all work of that GPU, so that reads
/// see the results of earlier work.
class DeviceBuffer : public Buffer {
 public:
  /// Allocates by cudaMalloc. Throws std::runtime_error with the size and the free memory if that
  /// is too small.
  explicit DeviceBuffer(std::size_t bytes);
  /// Takes memory of at least `bytes` from another allocator.
  DeviceBuffer(DeviceMemory memory, std::size_t bytes);

  std::byte* data() override { return memory_.get(); }
  std::size_t size() const override { return size_; }
  void write(std::size_t offset, std::span<const std::byte> bytes) override;
  std::vector<std::byte> read(std::size_t offset, std::size_t bytes) override;

 private:
  DeviceMemory memory_;
  std::size_t size_;
};

}  // namespace tofn::bench
