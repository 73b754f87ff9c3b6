#pragma once

#include <cstdlib>
#include <memory>

#include "microbench/harness/buffer.hpp"

namespace tofn::bench {

/// Page-aligned host memory whose pages are mapped before anything is timed.
class HostBuffer : public Buffer {
 public:
  /// Throws std::runtime_error that names the size if the host has too little memory.
  explicit HostBuffer(std::size_t bytes);
  std::byte* data() override { return memory_.get(); }
  std::size_t size() const override { return size_; }
  void write(std::size_t offset, std::span<const std::byte> bytes) override;
  std::vector<std::byte> read(std::size_t offset, std::size_t bytes) override;

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }  // NOLINT: aligned_alloc's
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_;
};

}  // namespace tofn::bench
