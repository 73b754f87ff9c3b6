#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tofn::bench {

/// Memory that is measured, on the host or on a device.
class Buffer {
 public:
  virtual ~Buffer() = default;
  virtual std::byte* data() = 0;
  virtual std::size_t size() const = 0;
  /// Copies from host memory to the offset, and back. The range must lie inside.
  virtual void write(std::size_t offset, std::span<const std::byte> bytes) = 0;
  virtual std::vector<std::byte> read(std::size_t offset, std::size_t bytes) = 0;
};

}  // namespace tofn::bench
