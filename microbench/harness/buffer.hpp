#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tofn::bench {

/// Memory that a benchmark works on, on the host or on a device.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::byte* data() = 0;
  virtual std::size_t size() const = 0;
  /// Copy from host memory to an offset, and back. The range must be inside the buffer.
  virtual void write(std::size_t offset, std::span<const std::byte> bytes) = 0;
  virtual std::vector<std::byte> read(std::size_t offset, std::size_t bytes) = 0;
};

}  // namespace tofn::bench
